import fc from 'fast-check';
import { expect, test } from 'vitest';

import { STAMP } from '../../test/support/found.ts';
import { propertyRuns } from '../../test/support/property-runs.ts';
import { skillText } from '../../test/support/tree.ts';
import type { Skill } from '../model/skill.ts';
import { bytesInMemory } from '../parse/column-file.ts';
import { parseSkill } from '../parse/parse-skill.ts';
import { decodeRows, encodeRowColumns } from './cache-rows.ts';
import { toPlainSkill } from './cached-skill.ts';
import { packSkill } from './packed-skill.ts';
import { placeSkill } from './placement.ts';
import { openRowWriter } from './row-writer.ts';

const origin = { source: 'user', group: 'User', level: 'user' } as const;

function parse(text: string): Skill {
  const parsed = parseSkill(text, { dir: '/skills/pdf' });
  if (!parsed.ok) throw new Error(parsed.message);
  return placeSkill(parsed.skill, origin, STAMP);
}

/** Through the cache file and back, field by field and as a whole. */
function roundTrip(skill: Skill): Skill {
  const writer = openRowWriter(1);
  writer.add({ key: 'pdf', stamp: STAMP, skill });
  const rows = decodeRows(bytesInMemory(Buffer.concat(encodeRowColumns('me', writer.columns()))), 'me');
  const read = rows?.rows.read(0, { root: { path: '/skills', origin }, id: 'pdf' });
  if (read?.skill === undefined) throw new Error('the cache lost the skill');
  const cached: Skill = read.skill;
  const plain = toPlainSkill(cached);
  expect(Object.fromEntries(Object.keys(plain).map((key) => [key, cached[key as keyof Skill]]))).toEqual(plain);
  expect(toPlainSkill(cached)).toBe(plain);
  return plain;
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
  const { texts, rest } = packSkill(skill);
  expect([texts.filter((text) => text !== undefined), rest]).toEqual([['Short', skill.textDigest], undefined]);
});

test('a record out of the cache is plain data: it spreads, prints and compares as the one that was read', () => {
  const skill = parse(skillText({ name: 'pdf', description: 'Fills forms — quickly. And more.', tags: ['表格'] }));
  const cached = roundTrip(skill);
  expect({ ...cached }).toEqual({ ...skill });
  expect(Object.keys(cached)).toEqual(Object.keys(skill));
  expect(JSON.stringify(cached)).toBe(JSON.stringify(skill));
  expect(structuredClone(cached)).toEqual(skill);
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
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', '1.0.0', 'development', 'pdf', 'true', 'false', '{}'),
    fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 3 }),
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
      const parsed = parseSkill(skillText(fields, body), { dir: '/skills/pdf' });
      const skill = parsed.ok ? placeSkill(parsed.skill, origin, STAMP) : undefined;
      expect(skill === undefined ? undefined : roundTrip(skill)).toEqual(skill);
    }),
    { numRuns: propertyRuns(300), seed: 20261115 },
  );
});
