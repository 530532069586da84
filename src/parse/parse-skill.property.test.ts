import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDocument, visit } from 'yaml';

import { memoryFolder } from '../../test/support/memory-folder.ts';
import { propertyRuns } from '../../test/support/property-runs.ts';
import { brokenValue, damagedYaml, nestedYaml, soundEntry, yamlish } from '../../test/support/yaml-text.ts';
import type { SkillDefinition } from '../model/skill.ts';
import { normalizeText, readFrontmatter } from './frontmatter.ts';
import { parseSkill } from './parse-skill.ts';
import { readFolderProperties } from './strict/strict-fields.ts';
import { validateFolder } from './strict/validate.ts';
import { examineYaml } from './yaml/examine-yaml.ts';
import { readMapping, readYaml } from './yaml/read-yaml.ts';

/** The same cases in every run: a failure here is a fault of the change at hand. */
const SEED = 20_261_115;

function holds<T>(input: fc.Arbitrary<T>, predicate: (value: T) => void, numRuns = 1_000): void {
  fc.assert(fc.property(input, predicate), { numRuns: propertyRuns(numRuns), seed: SEED });
}

const place = { dir: '/skills/demo', file: '/skills/demo/SKILL.md' };
const frontmatter = (): fc.Arbitrary<string> => fc.oneof(yamlish(), { arbitrary: damagedYaml(), weight: 2 });
const file = (): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom('', '\uFEFF', '\n'), frontmatter(), fc.constantFrom('\n---\n', '\n---', '\n', '\n--- \nB\n'))
    .map(([before, yaml, after]) => `${before}---\n${yaml}${after}`);
const anyText = (): fc.Arbitrary<string> =>
  fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.string(), file());

describe('a SKILL.md with any content', () => {
  /** Every input ends as a skill whose texts are texts, or as a diagnostic. */
  function endsWell(content: string | Uint8Array): void {
    const outcome = parseSkill(content, place);
    const { diagnostics } = outcome.ok ? outcome.skill : outcome;
    expect(diagnostics.filter(({ path, message }) => path !== place.file || message === '')).toEqual([]);
    expect(outcome.ok || diagnostics.map(({ code }) => code)).toEqual(outcome.ok || ['PARSE_FAILED']);
    expect(outcome.ok ? textsOf(outcome.skill).filter((text) => typeof text !== 'string') : []).toEqual([]);
    expect(JSON.stringify(outcome)).not.toContain('[object Object]');
  }

  test('never throws when it is loaded as text', () => {
    holds(anyText(), endsWell);
  });

  test('never throws when it is loaded as bytes', () => {
    const opening = Buffer.from('---\nname: ');
    const bytes = fc.uint8Array({ maxLength: 100 });
    holds(bytes, endsWell);
    holds(
      bytes.map((rest) => Buffer.concat([opening, rest])),
      endsWell,
    );
  });

  test('never throws when it is validated or its properties are read', () => {
    holds(anyText(), (text) => {
      const folder = memoryFolder({ 'SKILL.md': text });
      const { ok, errors } = validateFolder(folder);
      expect(ok).toBe(errors.length === 0);
      const properties = readFolderProperties(folder);
      expect(properties.ok ? properties.properties.name : properties.message).not.toBe('');
    });
  });
});

describe('parsing a SKILL.md with LF or CRLF', () => {
  test('gives the same skill', () => {
    holds(anyText(), (text) => {
      const unix = normalizeText(text);
      expect(parseSkill(unix.replaceAll('\n', '\r\n'), place)).toEqual(parseSkill(unix, place));
    });
  });
});

describe('parsing a SKILL.md given as text or as bytes', () => {
  test('gives the same skill', () => {
    const ends = fc.constantFrom('', '\n---\n\nBödy\n', '\n---\n\n\nB', '\n---\nB\u00a0\n', '\n---\n\n\u3000B \r\n');
    holds(fc.tuple(anyText(), ends), ([start, end]) => {
      const text = `${start}${end}`.toWellFormed().replaceAll('\0', '');
      expect(parseSkill(Buffer.from(text), place)).toEqual(parseSkill(text, place));
    });
  });
});

describe('a valid skill', () => {
  test('loads with the values that were validated and without any recovery', () => {
    let valid = 0;
    const entries = fc
      .tuple(soundEntry('tags'), soundEntry('metadata'), soundEntry('license'))
      .map((all) => all.join(''));
    holds(entries, (yaml) => {
      const text = `---\nname: demo\ndescription: d\n${yaml}---\n`;
      if (!validateFolder(memoryFolder({ 'SKILL.md': text })).ok) return;
      valid += 1;
      const outcome = parseSkill(text, place);
      expect(outcome).toMatchObject({ ok: true, skill: { name: 'demo', description: 'd' } });
      expect(outcome.ok && outcome.skill.diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
    });
    expect(valid).toBeGreaterThan(propertyRuns(100));
  });
});

describe('js-yaml', () => {
  test('reads exactly what the parser that examines faults reads, wherever it gives an answer', () => {
    let answers = 0;
    holds(
      fc.oneof(frontmatter(), nestedYaml()),
      (yaml) => {
        const map = readMapping(yaml);
        // To js-yaml, nothing before the first `...` is no document; to the other parser, an empty one.
        if (map === undefined || yaml.startsWith('...')) return;
        answers += 1;
        const whole = examineYaml(yaml);
        expect(whole.faults).toEqual([]);
        expect(ordered(map)).toEqual(ordered(whole.map));
      },
      8_000,
    );
    expect(answers).toBeGreaterThan(propertyRuns(2_000, 150));
  });
});

describe('frontmatter that a strict YAML parser reads', () => {
  test('is loaded with the same values', () => {
    let readable = 0;
    holds(
      frontmatter(),
      (yaml) => {
        const strict = readStrictly(`${yaml}\n`);
        if (strict === undefined) return;
        readable += 1;
        const { map, faults, fixes } = readFrontmatter(`---\n${yaml}\n---\n`);
        expect([faults, fixes]).toEqual([[], []]);
        expect(withoutNulls(ordered(map))).toEqual(withoutNulls(ordered(strict)));
      },
      6_000,
    );
    expect(readable).toBeGreaterThan(propertyRuns(600));
  });

  test('is never recovered', () => {
    holds(frontmatter(), (yaml) => {
      const strict = readYaml(`${yaml}\n`);
      if (strict.map === undefined || isCut(yaml)) return;
      const reading = readFrontmatter(`---\n${yaml}\n---\n`);
      expect(ordered(reading.map)).toEqual(ordered(strict.map));
      expect(reading.fixes).toEqual([]);
    });
  });
});

describe('recovering broken frontmatter', () => {
  /** Sound and broken entries side by side, each under a key of its own. */
  const mixture = fc
    .array(fc.boolean(), { minLength: 1, maxLength: 6 })
    .chain((kinds) =>
      fc.tuple(
        ...kinds.map((isSound, at) =>
          isSound ? soundEntry(`k${at}`) : brokenValue().map((value) => `k${at}: ${value}\n`),
        ),
      ),
    );

  test('never changes a valid entry and reads the others as written', () => {
    holds(mixture, (entries) => {
      const { map } = readFrontmatter(`---\n${entries.join('')}---\n`);
      const expected = entries.map((entry) => {
        const alone = readYaml(entry);
        return alone.map === undefined ? splitEntry(entry) : [...alone.map][0];
      });
      expect(map && [...map]).toEqual(expected);
    });
  });

  test('proposes lines that make the file valid with the same values', () => {
    let rewritten = 0;
    holds(mixture, (entries) => {
      const lines = `---\n${entries.join('')}---\n`.split('\n');
      const { map, fixes } = readFrontmatter(lines.join('\n'));
      if (fixes.length > 0) rewritten += 1;
      for (const { line, rewritten: text } of fixes) lines[line - 1] = text;
      const again = readFrontmatter(lines.join('\n'));
      expect([again.faults, again.fixes]).toEqual([[], []]);
      expect(again.map).toEqual(map);
    });
    expect(rewritten).toBeGreaterThan(propertyRuns(500));
  });
});

function textsOf({ id, name, title, brief, version, tags, requires, metadata }: SkillDefinition): readonly unknown[] {
  return [id, name, title, brief, version, ...tags, ...requires, ...Object.values(metadata)];
}

/** Maps as lists of pairs, so that the order of keys counts. */
function ordered(value: unknown): unknown {
  if (value instanceof Map) return [...value].map(([key, item]) => [key, ordered(item)]);
  return Array.isArray(value) ? value.map(ordered) : value;
}

/** Reads with the YAML package alone; undefined where it refuses, or where we promise to differ. */
function readStrictly(yaml: string): ReadonlyMap<unknown, unknown> | undefined {
  if (isCut(yaml)) return undefined;
  const document = parseDocument(yaml, { schema: 'failsafe', stringKeys: true });
  let hasAlias = false;
  visit(document, { Alias: () => void (hasAlias = true) });
  if (document.errors.length > 0 || hasAlias) return undefined;
  const value: unknown = document.toJS({ mapAsMap: true });
  return value instanceof Map ? value : undefined;
}

/** Empty values, `~` and `null` are null to us and text to the schema without types. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  return typeof value === 'string' && /^(?:~|null|Null|NULL)?$/.test(value) ? null : value;
}

/** Does a line of it close the frontmatter? */
function isCut(yaml: string): boolean {
  return /^---[ \t]*$/m.test(yaml);
}

function splitEntry(entry: string): readonly [string, string] {
  const [key = '', ...value] = entry.trimEnd().split(': ');
  return [key, value.join(': ')];
}
