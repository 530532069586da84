import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { hostileText } from '../../../test/support/hostile-text.ts';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { soundEntry } from '../../../test/support/yaml-text.ts';
import type { FrontmatterMap, FrontmatterValue } from '../../model/skill.ts';
import { toPlain } from '../fields.ts';
import { readFrontmatter } from '../frontmatter.ts';
import { findInvisible } from '../invisible.ts';
import { editFields, type FieldChanges } from './edit-fields.ts';
import { readYaml } from './read-yaml.ts';

const RUNS = { seed: 20261115, numRuns: propertyRuns(700) };

function hostileValue(): fc.Arbitrary<FrontmatterValue> {
  const key = hostileText().filter((text) => !['__proto__', 'constructor', 'prototype'].includes(text));
  return fc.oneof(
    hostileText(),
    fc.array(hostileText(), { maxLength: 5 }),
    fc.array(fc.tuple(key, hostileText()), { maxLength: 4 }).map((entries) => new Map(entries)),
  );
}

describe('a written frontmatter value', () => {
  test('is read back unchanged by our reader and the YAML library, whatever it contains', () => {
    fc.assert(
      fc.property(hostileValue(), hostileText(), (value, text) => {
        const yaml = edit(
          '',
          new Map<string, FrontmatterValue>([
            ['x', value],
            ['description', text],
          ]),
        );
        const read = readFrontmatter(`---\n${yaml}---\nBody\n`);
        expect(read).toMatchObject({ isRecovered: false, faults: [], split: { kind: 'closed', body: 'Body' } });
        expect(toPlain(read.map ?? null)).toEqual({ x: toPlain(value), description: text });
        expect(parse(yaml)).toEqual({ x: toPlain(value), description: text });
        expect(findInvisible(yaml).filter(({ kind }) => kind !== 'zero-width')).toEqual([]);
        // Files are written as UTF-8.
        expect(Buffer.from(yaml).toString()).toBe(yaml);
      }),
      RUNS,
    );
  });
});

describe('editing a frontmatter field', () => {
  /** Fields as lines of valid YAML, one of which is looked at. */
  const fields = fc
    .uniqueArray(fc.constantFrom('name', 'description', 'tags', 'a', 'b', 'x-y'), { minLength: 1, maxLength: 5 })
    .chain((keys) => fc.tuple(fc.constant(keys), fc.tuple(...keys.map(soundEntry)), fc.nat(keys.length - 1)))
    .filter(([, texts]) => isSound(texts.join('')));

  test('keeps the lines of the other fields, whatever the frontmatter contains', () => {
    fc.assert(
      fc.property(fields, hostileValue(), fc.constantFrom('\n', '\r\n'), ([keys, texts, at], value, lineEnd) => {
        const key = keys[at] ?? '';
        const lines = texts.map((text) => text.replaceAll('\n', lineEnd));
        const edited = edit(lines.join(''), new Map([[key, value]]));
        const wanted = new Map<string, FrontmatterValue>(mapOf(lines.join(''))).set(key, value);
        expect(toPlain(mapOf(edited))).toEqual(toPlain(wanted));
        expect(edited.startsWith(lines.slice(0, at).join(''))).toBe(true);
        expect(edited.endsWith(lines.slice(at + 1).join(''))).toBe(true);
        expect(commentsIn(edited)).toEqual(commentsIn(lines.join('')));
      }),
      RUNS,
    );
  });

  test('that already has the value keeps it as written', () => {
    fc.assert(
      fc.property(fields, ([, texts]) => {
        const yaml = texts.join('');
        expect(edit(yaml, mapOf(yaml))).toBe(yaml);
      }),
      RUNS,
    );
  });
});

function isSound(yaml: string): boolean {
  const { map, faults } = readYaml(yaml);
  return map !== undefined && faults.length === 0;
}

function mapOf(yaml: string): FrontmatterMap {
  return readYaml(yaml).map ?? new Map();
}

function edit(yaml: string, changes: FieldChanges): string {
  const edited = editFields(yaml, changes);
  if (!edited.ok) throw new Error(edited.message);
  return edited.yaml;
}

function commentsIn(yaml: string): readonly string[] {
  return yaml.match(/^# a comment.*$/gm) ?? [];
}
