import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

import { packFiles } from '../src/parse/archives/pack-files.ts';
import { DISCOVERY_SCHEMA, INDEX_PATHS } from '../src/parse/well-known-index.ts';
import { generateSkills } from './generate.ts';
import { BIN } from './process.ts';
import { withScratch } from './scratch.ts';
import { median, ms, ratio, type Section } from './table.ts';

const ROUNDS = 5;
const SKILLS = 1_000;
/** As many connections as skillplane opens. */
const AT_ONCE = 8;

/** A thousand skills from a web index and from one archive, against curl and tar of the same bytes. */
export async function measureOrigins(): Promise<Section> {
  const rows = await withScratch(measure);
  return {
    title: 'Installing a thousand skills from a site and from an archive',
    note: `Median of ${ROUNDS} interleaved rounds, whole processes, a SKILL.md each, from an https server on the same machine and from a file. \`install --all --yes --json\` and \`install --frozen --json\` fetch, verify, judge, audit, write, sync and lock; \`curl\` fetches the same files over as many connections and neither unpacks nor syncs them, \`tar\` unpacks the same archive and syncs nothing. "Start" is \`--version\`. Goal: at most 3×.`,
    columns: ['what', 'skillplane', 'plain', 'ratio', 'start'],
    rows,
  };
}

async function measure(dir: string): Promise<readonly (readonly string[])[]> {
  const [home, site, skills, out] = ['home', 'site', 'skills', 'out'].map((name) => join(dir, name)) as Folders;
  for (const folder of [home, skills, out]) mkdirSync(folder);
  generateSkills(skills, SKILLS);
  makeSite(site, skills);
  const archive = join(dir, 'all.tar.gz');
  execFileSync('tar', ['czf', archive, '-C', dir, 'skills']);
  const certificate = makeCertificate(dir);
  await using server = await startServer(site, certificate);
  const env = { HOME: home, PATH: process.env['PATH'], NODE_EXTRA_CA_CERTS: certificate.cert };
  const own = (...args: readonly string[]): number =>
    time(process.execPath, [BIN, ...args, '--json'], { cwd: home, env });
  const list = join(dir, 'curl.txt');
  writeFileSync(list, listFiles(site, server.url));
  const curl = (): number =>
    time(
      'curl',
      [
        '--silent',
        '--fail',
        '--parallel',
        '--parallel-max',
        `${AT_ONCE}`,
        '--cacert',
        certificate.cert,
        '--config',
        list,
      ],
      { cwd: out, env },
    );
  const tar = (): number => time('tar', ['xzf', archive], { cwd: out, env });
  const install = (from: string) => (): number => own('install', from, '--all', '--yes');
  const cases: readonly Case[] = [
    {
      name: 'install from a web index',
      ours: install(server.url),
      plain: curl,
      against: 'curl --parallel',
      keepsLock: false,
    },
    {
      name: 'install --frozen from a web index',
      ours: () => own('install', '--frozen'),
      plain: curl,
      against: 'curl --parallel',
      keepsLock: true,
    },
    { name: 'install from one .tar.gz', ours: install(archive), plain: tar, against: 'tar xzf', keepsLock: false },
  ];
  return cases.map((one) => measureCase(one, { home, out, start: () => own('--version') }));
}

type Folders = [home: string, site: string, skills: string, out: string];

interface Case {
  readonly name: string;
  readonly ours: () => number;
  readonly plain: () => number;
  readonly against: string;
  /** The lock of the run before is what is installed. */
  readonly keepsLock: boolean;
}

function measureCase(
  { name, ours, plain, against, keepsLock }: Case,
  { home, out, start }: { readonly home: string; readonly out: string; readonly start: () => number },
): readonly string[] {
  const [own, other, started] = [[], [], []] as [number[], number[], number[]];
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const left of ['plugins', ...(keepsLock ? [] : ['config.yaml', 'skills-lock.yaml'])])
      rmSync(join(home, '.agent', left), { recursive: true, force: true });
    rmSync(out, { recursive: true });
    mkdirSync(out);
    const times = [plain(), ours(), start()] as const;
    // The first round fills caches.
    if (round === 0) continue;
    other.push(times[0]);
    own.push(times[1]);
    started.push(times[2]);
  }
  const [mine, theirs] = [median(own), median(other)];
  return [name, ms(mine), `${ms(theirs)} (\`${against}\`)`, ratio(mine, theirs), ms(median(started))];
}

interface Certificate {
  readonly key: string;
  readonly cert: string;
}

function makeCertificate(dir: string): Certificate {
  const made = { key: join(dir, 'key.pem'), cert: join(dir, 'cert.pem') };
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', ['req', ...kind, ...subject, '-keyout', made.key, '-out', made.cert], { stdio: 'pipe' });
  return made;
}

/** A process of its own, since we wait for others without looking at connections. Files are sent from memory. */
const SERVER = `
import { createServer } from 'node:https';
import { readdirSync, readFileSync, statSync } from 'node:fs';
const [site, key, cert] = process.argv.slice(1);
const files = new Map();
for (const path of readdirSync(site, { recursive: true }))
  if (statSync(site + '/' + path).isFile()) files.set('/' + path, readFileSync(site + '/' + path));
const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, ({ url }, response) => {
  const body = files.get(url);
  response.writeHead(body === undefined ? 404 : 200);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

async function startServer(
  site: string,
  { key, cert }: Certificate,
): Promise<AsyncDisposable & { readonly url: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', SERVER, site, key, cert], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port]: unknown[] = await once(createInterface(child.stdout), 'line');
  return {
    url: `https://localhost:${String(port)}`,
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** A site with an archive of each skill. */
function makeSite(site: string, skills: string): void {
  const entries = readdirSync(skills).map((name) => {
    const content = { path: 'SKILL.md', executable: false, bytes: readFileSync(join(skills, name, 'SKILL.md')) };
    const { bytes, digest } = packFiles([content], 'tar.gz');
    mkdirSync(join(site, 'files'), { recursive: true });
    writeFileSync(join(site, 'files', `${name}.tar.gz`), bytes);
    return { name, description: 'Made to be measured.', type: 'archive', url: `/files/${name}.tar.gz`, digest };
  });
  const index = join(site, INDEX_PATHS[0]);
  mkdirSync(dirname(index), { recursive: true });
  writeFileSync(index, JSON.stringify({ $schema: DISCOVERY_SCHEMA, skills: entries }));
}

/** The index and all archives, for curl. */
function listFiles(site: string, url: string): string {
  const paths = [INDEX_PATHS[0], ...readdirSync(join(site, 'files')).map((name) => `files/${name}`)];
  return paths.map((path, at) => `url = "${url}/${path}"\noutput = "${at}"\n`).join('');
}

function time(
  file: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): number {
  const start = performance.now();
  const child = spawnSync(file, args, { ...options, encoding: 'utf8', maxBuffer: 1e9 });
  const elapsed = performance.now() - start;
  if (child.status !== 0) throw new Error(`${file} ${args.join(' ')}: ${child.stdout.slice(0, 2_000)}${child.stderr}`);
  return elapsed;
}
