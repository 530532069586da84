import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { skillplane } from '../support/command-line.ts';
import { settle } from '../support/settle.ts';
import { makeTree, skillText } from '../support/tree.ts';

function makeHome(): string {
  return makeTree({
    '.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n  disabled: [off]\n',
    '.agents/skills/pdf/SKILL.md': skillText(
      { name: 'pdf', description: 'Fill PDF forms.', tags: ['office'] },
      '# PDF\n\nUse the qpdf command.\n',
    ),
    '.agents/skills/mail/SKILL.md': skillText({ name: 'mail', description: 'Write letters.', tags: ['office'] }),
    '.agents/skills/off/SKILL.md': skillText({ name: 'off', description: 'Fill more forms.' }),
  });
}

describe('search', () => {
  test('prints the matching skills, best first, with reasons on request', async () => {
    const home = makeHome();
    expect(await skillplane(['search', 'pdf'], { home })).toEqual({
      code: 0,
      stderr: '',
      stdout: 'pdf  Fill PDF forms.\n',
    });
    const { stdout } = await skillplane(['search', 'how', 'do', 'I', 'fill', 'this', 'with', 'qpdf', '--explain'], {
      home,
    });
    expect(stdout).toBe('pdf  Fill PDF forms.\n     "fill" in its description or tags, "qpdf" in its instructions\n');
  });

  test('gives no figures to people: --json has the score, the confidence and the parts of the relevance', async () => {
    const home = makeHome();
    const mixed = await skillplane(['search', 'forms', 'for', 'a', 'pdf', '--explain'], { home });
    expect(mixed.stdout).toContain('"pdf" in its name');
    expect(mixed.stdout).not.toMatch(/\d/);
    const json = await skillplane(['search', 'fill', 'forms', '--explain', '--json'], { home });
    expect(JSON.parse(json.stdout)).toMatchObject({
      results: [
        {
          confidence: expect.any(Number),
          parts: expect.arrayContaining([expect.objectContaining({ part: 'covered', points: 2 })]),
        },
      ],
    });
  });

  test('says why a skill of exactly this name is not in the results', async () => {
    const home = makeHome();
    expect((await skillplane(['search', 'off'], { home })).stderr).toContain(
      'off is disabled: disabled by you (config.yaml)\n',
    );
    const json = await skillplane(['search', 'off', '--json'], { home });
    expect(json.stderr).toContain('off is disabled');
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: true, query: 'off' });
  });

  test('--json prints the query and the results', async () => {
    const { stdout } = await skillplane(['search', 'office', '--json'], { home: makeHome() });
    expect(JSON.parse(stdout)).toEqual({
      ok: true,
      query: 'office',
      results: [
        {
          id: 'mail',
          name: 'mail',
          title: 'Title',
          description: 'Write letters.',
          tags: ['office'],
          score: 0.8,
          confidence: 0.8,
          reasons: ['exact tag'],
        },
        {
          id: 'pdf',
          name: 'pdf',
          title: 'PDF',
          description: 'Fill PDF forms.',
          tags: ['office'],
          score: 0.8,
          confidence: 0.8,
          reasons: ['exact tag'],
        },
      ],
    });
  });

  test('filters by tags and domain, and stops at the limit', async () => {
    const home = makeHome();
    const names = async (...args: readonly string[]): Promise<readonly string[]> =>
      (
        JSON.parse((await skillplane(['search', '--json', ...args], { home })).stdout) as {
          results: { name: string }[];
        }
      ).results.map(({ name }) => name);
    expect(await names('', '--tag', 'OFFICE')).toEqual(['mail', 'pdf']);
    expect(await names('', '--tag', 'office', '--tag', 'other')).toEqual([]);
    expect(await names('', '--domain', 'development', '--limit', '1')).toEqual(['mail']);
  });

  test('says so if nothing matches, and refuses a limit that is not a number', async () => {
    const home = makeHome();
    expect(await skillplane(['search', 'zzz'], { home })).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No skill matches. Try other words, or list all skills with `skillplane show`.\n',
    });
    expect(await skillplane(['search', 'x', '--limit', 'many'], { home })).toMatchObject({
      code: 2,
      stderr: 'skillplane: --limit takes a whole number, not "many"\n',
    });
  });

  test('lists weak matches separately, never as results', async () => {
    const home = makeHome();
    const request = 'write a kernel module that drives the fans of my noisy old desktop computer';
    const { code, stdout, stderr } = await skillplane(['search', request], { home });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe('No good match. Closest:\nmail  Write letters.\n');
    const json = JSON.parse((await skillplane(['search', request, '--json'], { home })).stdout);
    expect(json).toMatchObject({ results: [{ name: 'mail', weak: true }] });
    const both = (await skillplane(['search', 'write', 'letters'], { home })).stdout;
    expect(both).not.toContain('Less likely');
  });

  test('reads thousands of new skills with the threads of the package, and says what it waits for', async () => {
    const numbers = Array.from({ length: 1_001 }, (_, number) => number);
    const home = makeTree(
      Object.fromEntries(
        numbers.map((number) => [
          `.agents/skills/s${number}/SKILL.md`,
          skillText({ name: `s${number}`, description: 'Does it.' }, `Calls tool${number}y.`),
        ]),
      ),
    );
    await settle(join(home, '.agents/skills/s1000/SKILL.md'));
    const first = await skillplane(['search', 'tool700y'], { home });
    expect(first).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Indexing \d+ new skills…\n$/) });
    expect(first.stdout).toMatch(/^s700 {2}Does it\.\n/);
    expect((await skillplane(['search', 'tool700y'], { home })).stderr).toBe('');
  });

  test('says what did not affect the order', async () => {
    const home = makeHome();
    const ranking = '  ranking:\n    embeddings: { url: "http://127.0.0.1:1/v1", model: m, key: sk-very-secret }\n';
    writeFileSync(join(home, '.agent/config.yaml'), `skills:\n  disabledSources: [bundled]\n${ranking}`);
    const { code, stderr } = await skillplane(['search', 'fill forms and letters'], { home });
    expect(code).toBe(0);
    expect(stderr).toMatch(/^Partial results: no embeddings: http:\/\/127\.0\.0\.1:1 cannot be asked: .*\n$/);
    const { stdout } = await skillplane(['search', 'fill forms and letters', '--json'], { home });
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, partial: [{ missing: 'embeddings' }] });
    const shown = (await skillplane(['config', 'get', 'ranking'], { home })).stdout;
    expect(shown).toContain('(hidden)');
    expect(`${shown}${stderr}${stdout}`).not.toContain('sk-very-secret');
  });
});
