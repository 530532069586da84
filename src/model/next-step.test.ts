import { expect, test } from 'vitest';

import { commands } from '../cli/commands.ts';
import { commandOf, describeNext, isForUser, OPERATION_NAMES, type NextStep } from './next-step.ts';
import { fail } from './outcome.ts';

test.each<[NextStep, string]>([
  [{ do: 'trust', skill: 'pdf' }, 'Run `skillplane trust pdf` to review and trust it.'],
  [{ do: 'update', skill: 'pdf' }, 'Run `skillplane update pdf`.'],
  [{ do: 'connect', host: 'codex' }, 'Run `skillplane agents connect codex` to add the MCP server and the hook.'],
  [{ do: 'explain', host: 'codex' }, 'Run `skillplane agents explain codex` to see what it lists and why.'],
  [{ do: 'restore', skill: 'pdf' }, 'Run `skillplane install --frozen` to reinstall everything in the lock file.'],
  [
    { do: 'fix', path: '/x', with: { spec: true } },
    'Run `skillplane validate --fix /x --spec` to fix what can be fixed.',
  ],
  [{ set: 'sandbox', to: 'auto' }, 'Run `skillplane config set sandbox auto`.'],
  [{ set: 'usage', to: '{ hub: true }' }, "Run `skillplane config set usage '{ hub: true }'`."],
  [{ set: 'enabledSources', add: 'x' }, 'Run `skillplane config set enabledSources+=x`.'],
  [{ choose: ['gemini'] }, 'Did you mean gemini?'],
  [{ choose: ['a', 'b'] }, 'Choose one of a, b.'],
  [{ retry: 'now' }, 'Try again.'],
  [{ either: [{ edit: '/a' }, { moveAway: '/a' }] }, 'Correct /a by hand, or move /a away.'],
  [{ either: [{ advice: 'Wait.' }, { retry: 'now' }] }, 'Wait. Or try again.'],
  [{ either: [{ retry: 'now' }, { advice: 'Wait.' }] }, 'Try again. Or: Wait.'],
])('the step %j is said as %j', (step, said) => {
  expect(describeNext(step)).toBe(said);
});

test('a hostile name in a step is one quoted word of its command', () => {
  expect(commandOf({ do: 'trust', skill: 'x; rm -rf ~' })).toBe("trust 'x; rm -rf ~'");
  expect(commandOf({ do: 'trust', skill: 'a`b\u202E' })).not.toMatch(/[`\u202E]/);
  expect(commandOf({ set: 'enabledSources', add: '$(id)' })).toBe("config set 'enabledSources+=$(id)'");
});

test('every operation of a step is a command of the command line', () => {
  const names = new Set(commands.map(({ name }) => name));
  for (const operation of OPERATION_NAMES) expect(names).toContain(commandOf({ do: operation }).split(' ', 1)[0]);
});

test.each<[boolean, NextStep]>([
  [true, { do: 'trust', skill: 'pdf' }],
  [true, { do: 'install' }],
  [true, { set: 'sandbox', to: 'off' }],
  [true, { edit: '/x' }],
  [true, { moveAway: '/x' }],
  [true, { ask: 'user', to: 'Search for it.' }],
  [true, { give: 'allow' }],
  [true, { either: [{ do: 'trust' }, { do: 'audit' }] }],
  [false, { do: 'search', query: 'trust' }],
  [false, { give: 'name' }],
  [false, { advice: 'Run `skillplane trust pdf`.' }],
  [false, { either: [{ do: 'trust' }, { give: 'name' }] }],
])('whether only the user may take a step does not depend on its words: %s for %j', (expected, step) => {
  expect(isForUser(step)).toBe(expected);
});

test('a failure hides credentials in every string of its step', () => {
  const next: NextStep = {
    either: [{ do: 'login', address: 'https://me:secret@hub.example' }, { advice: 'See https://a:secret@b.example.' }],
  };
  const failure = fail('INSTALL_FAILED', 'https://me:secret@hub.example', next);
  expect(JSON.stringify(failure)).not.toContain('secret');
  expect(failure.next).toMatchObject({ either: [{ do: 'login', address: 'https://hub.example' }, {}] });
});
