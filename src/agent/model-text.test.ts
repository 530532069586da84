import { expect, test } from 'vitest';

import type { NextStep } from '../model/next-step.ts';
import { fail } from '../model/outcome.ts';
import { dataForModel, failForModel } from './model-text.ts';

const USER_ONLY = 'Only the user may do this; tell them, and do not do it yourself: ';

function say(next: NextStep): string {
  return failForModel(fail('STORE_FAILED', 'no', next)).message;
}

test('a model is told the steps that it can take itself', () => {
  expect(say({ give: 'name', aim: 'choose another' })).toBe('no. Use `name` to choose another.');
  expect(say({ do: 'search', query: 'pdf forms' })).toBe("no. Run `search 'pdf forms'` to search by task.");
});

test.each<[NextStep, string]>([
  [{ do: 'trust', skill: 'pdf' }, 'Run `skillplane trust pdf` to review and trust it.'],
  [{ do: 'doctor' }, 'Run `skillplane doctor`.'],
  [{ set: 'sandbox', to: 'off' }, 'Run `skillplane config set sandbox off`.'],
  [{ edit: '/home/me/config.yaml' }, 'Correct /home/me/config.yaml by hand.'],
  [{ moveAway: '/x' }, 'Move /x away.'],
  [{ give: 'allow', as: ['SP101'] }, 'Use `allow: SP101`.'],
  [{ ask: 'user', to: 'Install bubblewrap.' }, 'Install bubblewrap.'],
])('a model is told that only the user may do %j', (next, said) => {
  expect(say(next)).toBe(`no. ${USER_ONLY}${said}`);
});

test('a model that may not load or run a skill is told how to go on without it, and what only the user may do', () => {
  const trust: NextStep = {
    either: [
      { do: 'audit', skill: 'pdf' },
      { do: 'trust', skill: 'pdf' },
    ],
  };
  expect(failForModel(fail('AUDIT_REFUSED', 'its audit found a download', trust)).message).toBe(
    'Not loaded: its audit found a download. Do the task without this skill, and tell the user what was found. ' +
      'Only they may allow it, with `skillplane trust pdf`; do not run that yourself.',
  );
  expect(failForModel(fail('NOT_TRUSTED', 'nobody trusts it', { do: 'trust', skill: 'pdf' })).message).toBe(
    'Not run: nobody trusts it. Do the step without the script, or ask the user to run `skillplane trust pdf`; ' +
      'do not run that, or the script, yourself.',
  );
});

test('of several steps, a model is told its own first, and the user’s as the user’s', () => {
  expect(say({ either: [{ moveAway: '/x' }, { give: 'name' }] })).toBe(`no. Use \`name\`. ${USER_ONLY}Move /x away.`);
});

test('a failure is worded for a model only once', () => {
  const once = failForModel(fail('NOT_TRUSTED', 'no', { do: 'trust', skill: 'pdf' }));
  expect(failForModel(once)).toEqual(once);
});

test('the text of a failure for a model has no doubled full stop', () => {
  expect(failForModel(fail('STORE_FAILED', 'the disk is full')).message).toBe('the disk is full');
  expect(failForModel(fail('STORE_FAILED', 'The disk is full.', { retry: 'later' })).message).toBe(
    'The disk is full. Try again later.',
  );
});

test('a failure for a model keeps its other fields and shows invisible characters', () => {
  const failure = { ...fail('SKILL_NOT_FOUND', 'no skill\u200B\nx', { advice: 'a\u200Bb' }), nearest: ['pdf'] };
  expect(failForModel(failure)).toEqual({
    ok: false,
    code: 'SKILL_NOT_FOUND',
    message: 'no skill\uFFFD x. a\uFFFDb',
    nearest: ['pdf'],
  });
});

test('data for a model shows invisible characters in every string', () => {
  expect(dataForModel({ a: ['x\u200By', 1, null], b: { c: 'd' } })).toEqual({
    a: ['x\uFFFDy', 1, null],
    b: { c: 'd' },
  });
});
