import { describe, expect, test } from 'vitest';

import { skillplane } from '../support/command-line.ts';
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
  test('prints the usable skills that fit, best first, with the reasons on request', () => {
    const home = makeHome();
    expect(skillplane(['search', 'pdf'], { home })).toEqual({
      code: 0,
      stderr: '',
      stdout: '1.00  pdf\n      Fill PDF forms.\n',
    });
    const { stdout } = skillplane(['search', 'how', 'do', 'I', 'fill', 'this', 'with', 'qpdf', '--explain'], { home });
    expect(stdout).toMatch(
      /^0\.\d\d {2}pdf\n {6}Fill PDF forms\.\n {6}description or tags: fill\n {6}instructions: qpdf\n {6}confidence 0\.\d\d\n {8}\d\.\d {2}words of the request/,
    );
  });

  test('says why a skill of that name is not among the results', () => {
    const home = makeHome();
    expect(skillplane(['search', 'off'], { home }).stderr).toContain('off is disabled: listed in disabled\n');
    const json = skillplane(['search', 'off', '--json'], { home });
    expect(json.stderr).toContain('off is disabled');
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: true, query: 'off' });
  });

  test('--json gives the query and the results', () => {
    const { stdout } = skillplane(['search', 'office', '--json'], { home: makeHome() });
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

  test('filters by tags and domain, and cuts at the limit', () => {
    const home = makeHome();
    const names = (...args: readonly string[]): readonly string[] =>
      (
        JSON.parse(skillplane(['search', '--json', ...args], { home }).stdout) as { results: { name: string }[] }
      ).results.map(({ name }) => name);
    expect(names('', '--tag', 'OFFICE')).toEqual(['mail', 'pdf']);
    expect(names('', '--tag', 'office', '--tag', 'other')).toEqual([]);
    expect(names('', '--domain', 'development', '--limit', '1')).toEqual(['mail']);
  });

  test('says so when nothing fits, and refuses a limit that is no number', () => {
    const home = makeHome();
    expect(skillplane(['search', 'zzz'], { home })).toEqual({ code: 0, stdout: '', stderr: 'No skill matches.\n' });
    expect(skillplane(['search', 'x', '--limit', 'many'], { home })).toMatchObject({
      code: 2,
      stderr: 'skillplane: --limit takes a whole number, not "many"\n',
    });
  });

  test('lists weak matches apart, never as an answer', () => {
    const home = makeHome();
    const request = 'write a kernel module that drives the fans of my noisy old desktop computer';
    const { code, stdout, stderr } = skillplane(['search', request], { home });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^No skill matches well\. Weak matches:\n0\.\d\d {2}mail\n {6}Write letters\.\n$/);
    const json = JSON.parse(skillplane(['search', request, '--json'], { home }).stdout);
    expect(json).toMatchObject({ results: [{ name: 'mail', weak: true }] });
    const both = skillplane(['search', 'write', 'letters'], { home }).stdout;
    expect(both).not.toContain('Weak');
  });
});
