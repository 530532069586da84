import fc from 'fast-check';
import { expect, test } from 'vitest';

import { STAMP } from '../../test/support/found.ts';
import { skillText } from '../../test/support/tree.ts';
import type { Skill } from '../model/skill.ts';
import { parseSkill } from '../parse/parse-skill.ts';
import { placeSkill } from './origin.ts';
import { packSkill, unpackSkill } from './packed-skill.ts';

const origin = { source: 'user', group: 'User', level: 'user' } as const;
const place = { id: 'pdf', dir: '/skills/pdf', file: '/skills/pdf/SKILL.md', origin };

function parse(text: string): Skill {
  const parsed = parseSkill(text, { dir: place.dir });
  if (!parsed.ok) throw new Error(parsed.message);
  return placeSkill(parsed.skill, origin, STAMP);
}

/** Through the cache file and back. */
function roundTrip(skill: Skill): Skill {
  return unpackSkill(JSON.parse(JSON.stringify(packSkill(skill))), place, STAMP);
}

test('a skill that says everything comes back the same', () => {
  const skill = parse(
    skillText({
      name: 'other',
      description: 'Fills forms. And more.',
      brief_description: 'Forms',
      version: '2.1',
      domain: 'office',
      tags: ['a', 'b'],
      license: 'MIT',
      compatibility: 'Linux',
      metadata: { requires: 'git gh', author: 'ann' },
      'allowed-tools': ['Read', 'Bash(git:*)'],
      triggers: { keywords: ['form'], verbs: ['fill'], patterns: ['^x'] },
      globs: ['*.pdf'],
      always_present: true,
      'disable-model-invocation': true,
      'user-invocable': false,
      default_enabled: false,
      toolsets: ['tools.ts:Tools'],
      scripts: ['run.sh'],
      creator: 'ann',
      producer_version: '0.1.0',
      custom: { deep: [1, null] },
    }),
  );
  expect(roundTrip(skill)).toEqual(skill);
});

test('a skill that says nothing but its defaults comes back the same, and packs to next to nothing', () => {
  const skill = parse(skillText({ name: 'pdf', description: 'Short' }, '# pdf\n'));
  expect(roundTrip(skill)).toEqual(skill);
  expect(packSkill(skill)).toEqual({ description: 'Short', tokens: 2 });
});

test('declared and empty scripts are not the same as none declared', () => {
  expect(roundTrip(parse(skillText({ name: 'pdf', scripts: [] }))).scripts).toEqual([]);
  expect(roundTrip(parse(skillText({ name: 'pdf' }))).scripts).toBeUndefined();
});

test('flaws come back with the path of the file', () => {
  const skill = parse(skillText({ name: 'Bad Name' }));
  expect(skill.diagnostics.length).toBeGreaterThan(0);
  expect(roundTrip(skill).diagnostics).toEqual(skill.diagnostics);
});

test('whatever a file says, its record survives the cache', () => {
  const value = fc.oneof(
    fc.string(),
    fc.constantFrom('', '1.0.0', 'development', 'pdf', 'true', 'false', '{}'),
    fc.array(fc.string(), { maxLength: 3 }),
  );
  const key = fc.constantFrom(
    'name',
    'description',
    'brief_description',
    'version',
    'domain',
    'tags',
    'metadata',
    'license',
    'scripts',
    'toolsets',
    'globs',
    'creator',
    'default_enabled',
    'always_present',
    'x',
    'toString',
  );
  fc.assert(
    fc.property(fc.dictionary(key, value), fc.string(), (fields, body) => {
      const parsed = parseSkill(skillText(fields, body), { dir: place.dir });
      const skill = parsed.ok ? placeSkill(parsed.skill, origin, STAMP) : undefined;
      expect(skill === undefined ? undefined : roundTrip(skill)).toEqual(skill);
    }),
    { numRuns: 300, seed: 20261115 },
  );
});
