/**
 * Proves that the program `skills` from npm installs from a hub that everyone may read: everything, and one scope. Not part of
 * `npm test`, since it fetches a package. The version that was seen to work is in docs/guide/hub.md.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { packFiles } from '../../src/parse/archives/pack-files.ts';
import { skillText } from '../support/tree.ts';

const PROGRAM = 'skills@1.7.4';
const root = mkdtempSync(join(tmpdir(), 'skillplane-interop-'));
const hub = spawn(
  process.execPath,
  [resolve('hub/bin/skillplane-hub.mjs'), '--port', '0', '--data', join(root, 'data'), '--anonymous-read'],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
try {
  await main();
} finally {
  hub.kill();
  if (hub.exitCode === null) await once(hub, 'exit');
  rmSync(root, { recursive: true, force: true });
}

async function main(): Promise<void> {
  let output = '';
  for await (const text of hub.stdout.setEncoding('utf8')) {
    output += String(text);
    if (output.includes('Keep it')) break;
  }
  const address = /http:\/\/[\d.:]+/.exec(output)?.[0] ?? '';
  const headers = { authorization: `Bearer ${/sphub_[\w-]+/.exec(output)?.[0] ?? ''}` };
  await fetch(`${address}/api/v1/scopes/team`, { method: 'PUT', headers, body: '{"policy":"open"}' });
  const bytes = Buffer.from(skillText({ name: 'pdf', description: 'Fill in forms.' }, '# PDF\n'));
  const body = new Uint8Array(packFiles([{ path: 'SKILL.md', executable: false, bytes }], 'tar.gz').bytes);
  await fetch(`${address}/api/v1/skills/team/pdf/versions?version=1.0.0`, { method: 'POST', headers, body });
  for (const from of [address, `${address}/@/team`]) {
    const project = join(root, from === address ? 'all' : 'scope');
    mkdirSync(project);
    const env = { ...process.env, HOME: project, DISABLE_TELEMETRY: '1', DO_NOT_TRACK: '1' };
    const words = ['add', from, '--skill', '*', '--agent', 'claude-code', '--copy', '--yes'];
    await promisify(execFile)('npm', ['exec', '--yes', '--', PROGRAM, ...words], {
      cwd: project,
      env,
      timeout: 120_000,
    });
    if (!existsSync(join(project, '.claude/skills/pdf/SKILL.md')))
      throw new Error(`nothing was installed from ${from}`);
    console.log(`ok: ${PROGRAM} installs from ${from === address ? 'a hub' : 'a scope of a hub'}`);
  }
}
