import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { link, makeTree, skillText } from '../../test/support/tree.ts';
import { skillDigest, toPrompt } from './read-skill.ts';

const PDF = skillText({ name: 'pdf', description: 'Fills forms.' });

describe('the prompt for given skill paths', () => {
  test('shows each skill with the real path of its file', () => {
    const root = makeTree({
      'pdf/SKILL.md': PDF,
      'low/skill.md': skillText({ name: 'low', description: '<b> & "c"' }),
    });
    symlinkSync(join(root, 'pdf'), join(root, 'linked'));
    const outcome = toPrompt([join(root, 'linked'), join(root, 'low', 'skill.md')]);
    expect(outcome).toEqual({
      ok: true,
      text: `<available_skills>
<skill>
<name>
pdf
</name>
<description>
Fills forms.
</description>
<location>
${join(root, 'pdf', 'SKILL.md')}
</location>
</skill>
<skill>
<name>
low
</name>
<description>
&lt;b&gt; &amp; &quot;c&quot;
</description>
<location>
${join(root, 'low', 'skill.md')}
</location>
</skill>
</available_skills>`,
    });
  });

  test('is refused if one of the skills cannot be read', () => {
    const root = makeTree({ 'pdf/SKILL.md': PDF, 'bad/SKILL.md': 'Text' });
    expect(toPrompt([join(root, 'pdf'), join(root, 'bad')])).toEqual({
      ok: false,
      code: 'PARSE_FAILED',
      message: expect.stringContaining('must start with'),
    });
  });
});

describe('the digest of a skill folder', () => {
  const tree = { 'SKILL.md': PDF, 'scripts/run.sh': '#!/bin/sh\n', 'references/é.md': 'x' };

  test('does not depend on its location or the order in which files were created', () => {
    const one = skillDigest(makeTree(tree));
    const other = skillDigest(makeTree(Object.fromEntries(Object.entries(tree).toReversed())));
    expect(one).toMatchObject({
      ok: true,
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      files: [
        { path: 'SKILL.md', size: PDF.length },
        { path: 'references/é.md' },
        { path: 'scripts/run.sh', size: 10 },
      ],
    });
    expect(other).toEqual(one);
  });

  test('is the same for composed and decomposed Unicode file names', () => {
    const composed = skillDigest(makeTree({ 'SKILL.md': PDF, 'caf\u00e9/\u00e9': 'x' }));
    expect(skillDigest(makeTree({ 'SKILL.md': PDF, 'cafe\u0301/e\u0301': 'x' }))).toEqual(composed);
  });

  test('changes if only an executable bit changes', () => {
    const root = makeTree(tree);
    const before = skillDigest(root);
    chmodSync(join(root, 'scripts/run.sh'), 0o644);
    const after = skillDigest(root);
    expect([before.ok, after.ok]).toEqual([true, true]);
    expect(after.ok && after.digest).not.toBe(before.ok && before.digest);
    expect(after.ok && after.files).toEqual(before.ok && before.files);
    chmodSync(join(root, 'scripts/run.sh'), 0o755);
    expect(skillDigest(root)).toEqual(before);
  });

  test('is refused if the folder contains a link, even one that stays inside', () => {
    const root = makeTree({ ...tree, 'also.md': link('SKILL.md') });
    expect(skillDigest(root)).toEqual({
      ok: false,
      code: 'PATH_REFUSED',
      message: expect.stringContaining('also.md is a link'),
    });
  });

  test('is refused if there is no such folder', () => {
    const root = makeTree({ file: '' });
    expect(skillDigest(join(root, 'missing'))).toMatchObject({ ok: false, code: 'SKILL_NOT_FOUND' });
    expect(skillDigest(join(root, 'file'))).toMatchObject({ ok: false, code: 'SKILL_NOT_FOUND' });
  });
});
