import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { fromJSONSchema } from 'zod';

import { settingsTable, sourceSwitches, type Setting } from '../src/config/settings.ts';
import { skillplane } from './support/command-line.ts';
import { makeRepository } from './support/git-repositories.ts';
import { makeTree, skillText } from './support/tree.ts';

const schema = fromJSONSchema(JSON.parse(readFileSync('docs/reference/config.schema.json', 'utf8')));
const isAccepted = (config: unknown): boolean => schema.safeParse(config).success;

describe('the JSON Schema of the configuration', () => {
  const scalar = fc.oneof(
    fc.constantFrom('off', 'auto', 'require', 'critical', 'never', '60s', '0s', '5', '07m', '1y', ''),
    fc.constantFrom(null, true, false, 0, 1, -1, 1.5, 9_999_999_999, 10_000_000_000),
    fc.string({ maxLength: 4 }),
  );
  const plugin = fc.record({ url: scalar, ref: scalar, enabled: scalar }, { requiredKeys: [] });
  const value = fc.oneof(scalar, fc.array(fc.oneof(scalar, plugin)), fc.dictionary(fc.constantFrom('a', 'b'), scalar));

  const settings: readonly (readonly [string, Setting])[] = Object.entries(settingsTable);
  test.each(settings)('accepts the same values for %s as the program', (name, { type }) => {
    fc.assert(
      fc.property(value, (given) => {
        // An empty value counts as missing.
        expect(isAccepted({ skills: { [name]: given } })).toBe(given === null || type.check(given).ok);
      }),
    );
  });

  test("accepts source switches and other programs' sections, but no unknown setting", () => {
    for (const name of Object.keys(sourceSwitches)) expect(isAccepted({ skills: { [name]: false } })).toBe(true);
    expect(isAccepted({ skills: { disbled: [] } })).toBe(false);
    expect(isAccepted({ other: { disbled: [] } })).toBe(true);
    expect(isAccepted(null)).toBe(true);
  });

  test('accepts every configuration in the documentation', () => {
    const files = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'));
    const texts = ['README.md', ...files.map((file) => join('docs', file))].map((file) => readFileSync(file, 'utf8'));
    const samples = texts.flatMap((text) =>
      Array.from(text.matchAll(/^```yaml\n(skills:.*?)^```$/gms), ([, yaml]) => yaml),
    );
    expect(samples.length).toBeGreaterThan(0);
    for (const yaml of samples) expect(schema.safeParse(parse(yaml ?? ''))).toMatchObject({ success: true });
  });

  test('accepts what the commands write, and its path is in the first line of their files', async () => {
    const home = makeTree({ 'work/.git/': '' });
    const cwd = join(home, 'work');
    const run = async (...args: readonly string[]): Promise<void> =>
      expect((await skillplane(args, { home, cwd })).code).toBe(0);
    await run('install', makeRepository({ 'SKILL.md': skillText({ name: 'a', description: 'Does a.' }) }).url, '--yes');
    await run('config', 'set', 'scriptTimeout', '2m');
    await run('config', 'set', 'enabledSources+=cursor-user');
    await run('disable', 'a');
    await run('config', 'set', 'disabled+=b', '--project');
    for (const dir of [join(home, '.agent'), join(cwd, '.agent')]) {
      const text = readFileSync(join(dir, 'config.yaml'), 'utf8');
      const [, address = ''] = /^# yaml-language-server: \$schema=(.*)\n/.exec(text) ?? [];
      const named = JSON.parse(readFileSync(join(dir, address), 'utf8'));
      expect(fromJSONSchema(named).safeParse(parse(text))).toMatchObject({ success: true });
    }
  });
});

describe('skillplane config', () => {
  test('path --schema prints the path of the JSON Schema', async () => {
    const home = makeTree();
    const { stdout } = await skillplane(['config', 'path', '--schema'], { home });
    expect(readFileSync(stdout.trim(), 'utf8')).toBe(readFileSync('docs/reference/config.schema.json', 'utf8'));
    expect((await skillplane(['config', 'list', '--schema'], { home })).code).toBe(2);
  });

  test('edit opens a new file that names the JSON Schema', async () => {
    const home = makeTree({ 'editor.sh': 'cp "$1" "$HOME/seen"\n' });
    const env = { EDITOR: `sh ${join(home, 'editor.sh')}` };
    expect((await skillplane(['config', 'edit'], { home, env })).code).toBe(0);
    expect(readFileSync(join(home, 'seen'), 'utf8')).toBe('# yaml-language-server: $schema=./config.schema.json\n');
  });
});
