import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { link, makeTree, skillText } from '../../test/support/tree.ts';
import { digestFolder } from '../parse/digest.ts';
import { openSkillFolder } from '../platform/files/skill-folder.ts';
import { pack } from './pack.ts';

const PDF = skillText({ name: 'pdf', description: 'Fill in forms.', version: '1.4.0' }, '# PDF\n');

test('pack writes a skill with its version and the digest of its folder', async () => {
  const root = makeTree({ 'pdf/SKILL.md': PDF, 'pdf/scripts/run.sh': '#!/bin/sh\n' });
  const packed = await pack(join(root, 'pdf'), { to: root });
  expect(packed).toMatchObject({
    ok: true,
    name: 'pdf',
    version: '1.4.0',
    fileName: 'pdf.skill',
    path: join(root, 'pdf.skill'),
    skillDigest: (digestFolder(openSkillFolder(join(root, 'pdf'))) as { readonly digest?: string }).digest,
    leftOut: [],
  });
  expect(packed).toMatchObject({ bytes: readFileSync(join(root, 'pdf.skill')) });
});

test('pack accepts a folder of another name and leaves out version control and system files, naming them', async () => {
  const root = makeTree({
    'checkout/SKILL.md': skillText({ name: 'pdf', description: 'Fill in forms.' }),
    'checkout/.git/config': 'secret',
    'checkout/scripts/.DS_Store': 'x',
  });
  expect(await pack(join(root, 'checkout', 'SKILL.md'))).toMatchObject({
    ok: true,
    name: 'pdf',
    version: undefined,
    path: undefined,
    files: [{ path: 'SKILL.md' }],
    leftOut: [{ path: '.git' }, { path: 'scripts/.DS_Store' }],
  });
});

test.for([
  ['a link', { 'pdf/SKILL.md': PDF, 'pdf/notes.md': link('/etc/passwd') }, /"notes.md" is a link/],
  ['names that differ in case', { 'pdf/SKILL.md': PDF, 'pdf/a.md': '', 'pdf/A.md': '' }, /same as .* on many systems/],
  ['a name of a device', { 'pdf/SKILL.md': PDF, 'pdf/aux.md': '' }, /reserved on Windows/],
  ['no SKILL.md', { 'pdf/README.md': '' }, /no SKILL.md/],
  ['another spelling of SKILL.md', { 'pdf/skill.md': PDF }, /other tools only find SKILL.md/],
  ['an invalid skill', { 'pdf/SKILL.md': skillText({ name: 'PDF', description: '' }) }, /is not valid: .*lowercase/],
  ['no folder', { 'other/': '' }, /is not a directory/],
] as const)('pack refuses %s, says why and writes nothing', async ([, tree, message]) => {
  const root = makeTree(tree);
  expect(await pack(join(root, 'pdf'), { to: root })).toMatchObject({
    ok: false,
    message: expect.stringMatching(message),
  });
});

test('pack refuses a skill that the chosen target would refuse, and says how to fix it', async () => {
  const root = makeTree({ 'pdf/SKILL.md': PDF });
  expect(await pack(join(root, 'pdf'), { for: ['codex', 'mcp'] })).toMatchObject({ ok: true });
  expect(await pack(join(root, 'pdf'), { for: ['claude.ai'] })).toMatchObject({
    ok: false,
    code: 'SKILL_INVALID',
    message: expect.stringContaining('claude.ai upload: the frontmatter has unexpected fields: version'),
    next: { do: 'fix', with: { spec: true } },
  });
});
