import { chmodSync, lstatSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { makeFifo } from '../../../test/support/fifo.ts';
import { link, makeTree } from '../../../test/support/tree.ts';
import { copyForUser, findClosedFolder, isOpenToOthers } from './other-user.ts';
import { pickUser } from './picked-user.ts';

const SKIP = process.platform === 'win32';

describe.skipIf(SKIP)(
  `finding what another user can reach${SKIP ? ' (skipped: this needs a POSIX system)' : ''}`,
  () => {
    test('gives the topmost folder that is closed to that user', () => {
      const root = makeTree({ 'a/b/c/file': '' });
      chmodSync(root, 0o755);
      expect(findClosedFolder(join(root, 'a/b/c'))).toBeUndefined();
      chmodSync(join(root, 'a/b'), 0o700);
      chmodSync(join(root, 'a'), 0o750);
      expect(findClosedFolder(join(root, 'a/b/c'))).toBe(join(root, 'a'));
      // The folder itself is not above itself.
      expect(findClosedFolder(join(root, 'a'))).toBeUndefined();
      expect(findClosedFolder('/')).toBeUndefined();
    });

    test.each([
      ['everything is open', { file: 0o644 }, true],
      ['a file is closed', { file: 0o600 }, false],
      ['a folder is closed', { sub: 0o711 }, false],
      ['a file may be executed by its owner alone', { file: 0o744 }, false],
      ['a file may be executed by all', { file: 0o755 }, true],
    ])('decides correctly for a folder where %s', (_, modes, isOpen) => {
      const root = makeTree({ file: '', 'sub/inner': '', dangling: link('nowhere') });
      chmodSync(root, 0o755);
      for (const [name, mode] of Object.entries(modes)) chmodSync(join(root, name), mode);
      expect(isOpenToOthers(root)).toBe(isOpen);
    });

    test('uses a user id that no account has', () => {
      for (let turn = 0; turn < 50; turn += 1) {
        expect(pickUser()).toBeGreaterThan(64_000);
        expect(pickUser()).toBeLessThan(65_000);
      }
    });
  },
);

const NEEDS_ROOT = process.getuid?.() !== 0;

describe.skipIf(NEEDS_ROOT)(
  `a copy of a skill for another user${NEEDS_ROOT ? ' (skipped: only root makes one)' : ''}`,
  () => {
    test('has the same content in a folder that only they can enter', () => {
      const root = makeTree({ 'scripts/run.sh': '#!/bin/sh\n', 'data.txt': 'text', 'in-link': link('data.txt') });
      for (const name of ['scripts/run.sh', 'data.txt', 'scripts', '.'])
        chmodSync(join(root, name), name === 'data.txt' ? 0o600 : 0o700);
      makeFifo(join(root, 'pipe'));
      const target = join(makeTree(), 'copy');
      expect(copyForUser(root, target, 64_001)).toEqual({ ok: true });
      const mode = (name: string): number => statSync(join(target, name)).mode & 0o777;
      expect([mode('.'), mode('scripts'), mode('scripts/run.sh'), mode('data.txt')]).toEqual([
        0o700, 0o755, 0o755, 0o644,
      ]);
      expect(statSync(target).uid).toBe(64_001);
      expect(readFileSync(join(target, 'data.txt'), 'utf8')).toBe('text');
      expect(readlinkSync(join(target, 'in-link'))).toBe('data.txt');
      expect(lstatSync(join(target, 'pipe'), { throwIfNoEntry: false })).toBeUndefined();
    });

    test('that cannot be made fails with the reason and the next step', () => {
      const root = makeTree({ file: 'x' });
      const made = copyForUser(root, join(makeTree(), 'missing/copy'), 64_001);
      expect(made).toMatchObject({
        ok: false,
        code: 'SCRIPT_FAILED',
        next: { ask: 'user', to: expect.stringContaining('chmod -R go+rX') },
      });
    });
  },
);
