import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { sourceUrl } from '../../../test/support/child.ts';
import { makeTree } from '../../../test/support/tree.ts';
import { findInheritedDescriptors } from './inherited-descriptors.ts';

const SKIP = process.platform !== 'linux';

describe.skipIf(SKIP)(`inherited file descriptors${SKIP ? ' (skipped: only Linux passes them on)' : ''}`, () => {
  test('are found if our parent left one open', () => {
    const code = `
      import { findInheritedDescriptors } from ${JSON.stringify(sourceUrl('platform/process/inherited-descriptors.ts'))};
      console.log(JSON.stringify(findInheritedDescriptors()));`;
    const file = openSync(join(makeTree({ file: '' }), 'file'), 'r');
    const child = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
      // Node looks after the lowest ones itself, up to the first gap.
      stdio: ['ignore', 'pipe', 'inherit', ...Array.from({ length: 97 }, () => 'ignore' as const), file],
      encoding: 'utf8',
    });
    closeSync(file);
    expect(JSON.parse(child.stdout)).toContain(100);
  });

  test('do not include those that we opened ourselves', () => {
    const file = openSync(join(makeTree({ file: '' }), 'file'), 'r');
    expect(findInheritedDescriptors()).not.toContain(file);
    closeSync(file);
  });
});
