import { constants, copyFileSync } from 'node:fs';

import { fail, type Outcome } from '../../model/outcome.ts';
import { attempt } from '../errors.ts';

const MOST_BACKUPS = 1_000;

/** Copies a file beside itself, with its permissions, under the first free name: `config.toml.bak`, `.bak-2`, … */
export function backUp(path: string): Outcome<{ readonly backup: string }> {
  for (let count = 1; count <= MOST_BACKUPS; count += 1) {
    const backup = count === 1 ? `${path}.bak` : `${path}.bak-${count}`;
    const copied = attempt(() => copyFileSync(path, backup, constants.COPYFILE_EXCL));
    if (copied.ok) return { ok: true, backup };
    if (copied.errno !== 'EEXIST') return fail('STORE_FAILED', `${backup}: ${copied.message}`);
  }
  return fail('STORE_FAILED', `there are ${MOST_BACKUPS} backups of ${path} already; remove some`);
}
