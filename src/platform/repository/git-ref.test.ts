import { spawnSync } from 'node:child_process';

import { expect, test } from 'vitest';

import { findRefFault, isCommitId, looksLikeCommit } from './git-ref.ts';

test.each(['main', 'v1.0', 'feature/x', 'refs/tags/v1', 'a.b', 'é', 'HEAD', 'a-b', 'a@b', 'f'.repeat(40)])(
  'the git ref %s is accepted',
  (ref) => expect(findRefFault(ref)).toBeUndefined(),
);

const REFUSED =
  '-x|--upload-pack=x|a..b|a b|a~1|a^|a:b|a?|a*|a[|a\\b|/a|a/|a//b|.a|a/.b|a.lock|a.lock/b|a.|@|a@{1}|a\x7f|a\nb|a\tb';

test.each(['', 'x'.repeat(251), 'a\u0085b', ...REFUSED.split('|')])('the git ref %j is refused', (ref) => {
  expect(findRefFault(ref)).toEqual(expect.any(String));
});

test('our check of git refs agrees with git, except that it refuses dangerous arguments', () => {
  const allows = (ref: string): boolean =>
    spawnSync('git', ['check-ref-format', `refs/heads/${ref}`], { stdio: 'ignore' }).status === 0;
  const names = ['main', 'v1.0', 'feature/x', 'a.b', 'é', 'a@b', ...REFUSED.split('|')];
  // Dangerous as arguments, and allowed by git.
  const stricter = ['-x', '--upload-pack=x', '@'];
  const differing = names.filter((ref) => allows(ref) !== (findRefFault(ref) === undefined));
  expect(differing).toEqual(stricter);
});

test('full and abbreviated git commit ids are recognized', () => {
  expect([isCommitId('A'.repeat(40)), isCommitId('a'.repeat(39)), isCommitId('g'.repeat(40))]).toEqual([
    true,
    false,
    false,
  ]);
  expect(['abcdef0', 'abcdef', 'f'.repeat(40), 'f'.repeat(41), 'master1'].map(looksLikeCommit)).toEqual([
    true,
    false,
    true,
    false,
    false,
  ]);
});
