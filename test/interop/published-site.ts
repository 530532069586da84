/**
 * Proves that the program `skills` from npm installs from a site that `publish` made: all skills, one skill by the address of its
 * page, and an older version. Not part of `npm test`, since it fetches a package. The versions that were seen to work are in
 * docs/guide/giving.md.
 */
import { execFile } from 'node:child_process';
import { createReadStream, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';

import { publishSkills } from '../../src/publish/site/publish-site.ts';
import { skillText, writeTree } from '../support/tree.ts';

const PROGRAM = 'skills@1.7.4';

const root = mkdtempSync(join(tmpdir(), 'skillplane-interop-'));
const site = join(root, 'site');
const server = createServer((request, response) => {
  const path = join(site, normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname)));
  const isFile = path.startsWith(`${site}/`) && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  response.writeHead(isFile ? 200 : 404);
  if (isFile) createReadStream(path).pipe(response);
  else response.end();
});

try {
  await main();
} finally {
  server.close();
  rmSync(root, { recursive: true, force: true });
}

async function main(): Promise<void> {
  const pdf = (version: string): string =>
    skillText({ name: 'pdf', description: 'Fill in forms.', metadata: { version } }, `# PDF ${version}\n`);
  const tree = {
    'skills/pdf/SKILL.md': pdf('1.4.0'),
    'skills/pdf/scripts/fill.sh': '#!/bin/sh\necho filled\n',
    'skills/pdf/assets/bytes.bin': Uint8Array.from({ length: 5_000 }, (_, at) => (at * 31) % 256),
    'skills/mail/SKILL.md': skillText({ name: 'mail', description: 'Write mail.' }, '# Mail\n'),
  };
  writeTree(root, tree);
  await publish();
  writeFileSync(join(root, 'skills/pdf/SKILL.md'), pdf('1.5.0'));
  await publish();
  const address = await listen(server);
  check('all skills', await add(address), { names: ['mail', 'pdf'], version: '1.5.0' });
  check('one skill by the address of its page', await add(`${address}/skills/pdf`), {
    names: ['pdf'],
    version: '1.5.0',
  });
  check('an older version by its address', await add(`${address}/skills/pdf/1.4.0`), {
    names: ['pdf'],
    version: '1.4.0',
  });
}

async function publish(): Promise<void> {
  const published = await publishSkills([join(root, 'skills')], { to: site });
  if (!published.ok) throw new Error(published.message);
}

function listen(listening: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    listening.once('error', reject);
    listening.listen(0, '127.0.0.1', () => {
      const at = listening.address();
      if (typeof at === 'object' && at !== null) resolve(`http://127.0.0.1:${at.port}`);
    });
  });
}

/** Installs into a project of its own, and returns the folder of its skills. */
async function add(address: string): Promise<string> {
  const project = mkdtempSync(join(root, 'project-'));
  const env = { ...process.env, HOME: project, DISABLE_TELEMETRY: '1', DO_NOT_TRACK: '1' };
  const words = [
    'exec',
    '--yes',
    '--',
    PROGRAM,
    'add',
    address,
    '--skill',
    '*',
    '--agent',
    'claude-code',
    '--copy',
    '--yes',
  ];
  await new Promise<void>((resolve, reject) => {
    execFile('npm', words, { cwd: project, env, timeout: 120_000 }, (error, stdout, stderr) => {
      if (error === null) resolve();
      else reject(new Error(`${error.message}\n${stdout}\n${stderr}`));
    });
  });
  return join(project, '.claude/skills');
}

interface Expected {
  readonly names: readonly string[];
  readonly version: string;
}

function check(title: string, dir: string, { names, version }: Expected): void {
  const installed = readdirSync(dir).sort();
  if (installed.join() !== names.join()) throw new Error(`${title}: ${installed.join()} instead of ${names.join()}`);
  for (const path of ['pdf/scripts/fill.sh', 'pdf/assets/bytes.bin'])
    if (!readFileSync(join(dir, path)).equals(readFileSync(join(root, 'skills', path))))
      throw new Error(`${title}: ${path} differs`);
  const text = readFileSync(join(dir, 'pdf/SKILL.md'), 'utf8');
  if (!text.includes(`# PDF ${version}\n`)) throw new Error(`${title}: it is not version ${version}`);
  console.log(`ok: ${PROGRAM} installs ${title}`);
}
