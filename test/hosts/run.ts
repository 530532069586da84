/**
 * Proves the replay of hosts against the programs themselves: installs pinned versions, makes homes with every trap that we know,
 * asks the programs which skills they have and which their models are told of, and compares. Then it connects our hook to each
 reaches the model. Not part of `npm test`, since it fetches 1.4 GB; the recorded answers are
 * (`recorded-answers.test.ts`).
 *
 * `npm run test:hosts -- codex "long list"` asks one program, in the homes whose titles have these words; `hooks` checks the hooks
 * alone, `walk` the walk. `--record` records the answers. SKILLPLANE_HOST_PROGRAMS names a folder to keep the programs in.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { checkHomes } from './check-homes.ts';
import { checkHooks } from './check-hooks.ts';
import { checkWalk } from './check-walk.ts';
import { HOMES } from './homes.ts';
import { installPrograms, PROGRAM_IDS } from './programs.ts';

const INSIDE = 'SKILLPLANE_HOSTS_INSIDE';
const kept = process.env['SKILLPLANE_HOST_PROGRAMS'];

if (process.env[INSIDE] === undefined) {
  const programs = kept ?? mkdtempSync(join(tmpdir(), 'skillplane-programs-'));
  try {
    await installPrograms(programs);
    process.exitCode = runWithoutNetwork(programs);
  } finally {
    if (kept === undefined) rmSync(programs, { recursive: true, force: true });
  }
} else await main(kept ?? '');

/** Runs this file again where only the loopback address can be reached. */
function runWithoutNetwork(programs: string): number {
  const words = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const contained = ['--dev-bind', '/', '/', '--unshare-net', '--die-with-parent', ...words];
  const env = { ...process.env, SKILLPLANE_HOST_PROGRAMS: programs, [INSIDE]: '1' };
  const { status, error } = spawnSync('bwrap', contained, { stdio: 'inherit', env });
  if (error !== undefined)
    throw new Error(`bubblewrap keeps the programs from the network, and cannot be started: ${error.message}`);
  return status ?? 1;
}

async function main(programs: string): Promise<void> {
  const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
  const isMeant = (id: string): boolean =>
    words.includes(id) || !words.some((word) => PROGRAM_IDS.some((each) => each === word));
  const ids = PROGRAM_IDS.filter(isMeant);
  const parts = words.filter((word) => !PROGRAM_IDS.some((each) => each === word));
  const titles = Object.keys(HOMES).filter((title) => parts.length === 0 || parts.some((part) => title.includes(part)));
  const rows = await checkHomes(ids, titles, { programs, records: process.argv.includes('--record') });
  const hooks = parts.length === 0 || parts.includes('hooks') ? await checkHooks(ids, programs) : [];
  const isWalking = parts.length === 0 || parts.includes('walk');
  const wrong = isWalking && ids.includes('claude-code') && ids.includes('codex') ? await checkWalk(programs) : [];
  for (const { id, homes, same, differing } of rows)
    console.log(`${id}: ${same} of ${same + differing} skills in ${homes} homes`);
  if (
    wrong.length > 0 ||
    rows.some(({ differing }) => differing > 0) ||
    hooks.some(({ isTold, uses }) => !isTold || uses !== 1)
  )
    process.exitCode = 1;
}
