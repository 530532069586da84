import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { fail, type Outcome } from '../../model/outcome.ts';
import { now } from '../clock.ts';
import { attempt } from '../errors.ts';
import { runProcess, type ProcessOptions, type ProcessResult } from '../process/run-process.ts';
import type { FetchJob } from './git-address.ts';
import { buildGitEnvironment, buildGitSettings, type GitSetting } from './git-environment.ts';

/** For a whole fetch, helpers included. */
export const FETCH_TIMEOUT_MS = 120_000;
export const MAX_FETCH_BYTES: number = 200 * 1024 * 1024;
/** Per git process: hostile objects can unpack to any size. */
const MAX_MEMORY_BYTES = 2 * 1024 * 1024 * 1024;
const MAX_MESSAGE_BYTES: number = 1024 * 1024;
/** Older versions cannot be told to ignore the user's configuration. */
const OLDEST = [2, 32] as const;

/** Runs git on one bare repository of our own, isolated from the user's configuration. */
export interface Git {
  /** The private folder, which is also the working directory. */
  readonly dir: string;
  /** The bare repository in it. */
  readonly repository: string;
  readonly env: Readonly<Record<string, string>>;
  /** The whole command line for these arguments. */
  command(args: readonly string[]): readonly string[];
  /** Runs git within the rest of the time limit. */
  run(args: readonly string[], options?: Partial<ProcessOptions>): Promise<ProcessResult>;
}

export interface OpenedGit {
  readonly git: Git;
  /** Checks that this git is new enough; the caller waits for it before it uses anything that git did. */
  readonly checkVersion: () => Promise<Outcome>;
}

/** Creates the empty repository. Git may use the user's configuration only after its version was checked. */
export async function openGit(job: FetchJob): Promise<Outcome<OpenedGit>> {
  const made = makeRepository(job.dir);
  if (!made.ok) return made;
  const git = buildGit(job, urlCredentials(job));
  // Without it, git sees an empty home: even an old one reads no configuration.
  if (job.options.useGitCredentials !== true) return { ok: true, git, checkVersion: () => checkVersion(git) };
  const checked = await checkVersion(git);
  if (!checked.ok) return checked;
  const own = buildGit(job, [...urlCredentials(job), ...(await readUserCredentials(git, job))]);
  return { ok: true, git: own, checkVersion: async () => checked };
}

async function checkVersion(git: Git): Promise<Outcome> {
  const version = await git.run(['version']);
  const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(version.stdout) ?? []).map(Number);
  if (version.ended !== 'exited') return fail('INSTALL_FAILED', `git could not be run: ${version.ended}`);
  return major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])
    ? fail('INSTALL_FAILED', `git ${OLDEST.join('.')} or newer is needed; this is ${version.stdout.trim()}`)
    : { ok: true };
}

/** The files that `git init --bare` would write, without the start of a process. */
function makeRepository(dir: string): Outcome {
  const repository = join(dir, REPOSITORY);
  const made = attempt(() => {
    for (const folder of ['objects/info', 'objects/pack', 'refs/heads'])
      mkdirSync(join(repository, folder), { recursive: true });
    writeFileSync(join(repository, 'HEAD'), 'ref: refs/heads/none\n');
    writeFileSync(join(repository, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n');
  });
  return made.ok ? { ok: true } : fail('INSTALL_FAILED', `no repository could be created in ${dir}: ${made.message}`);
}

const REPOSITORY = 'repository.git';

function buildGit(job: FetchJob, secretSettings: readonly GitSetting[]): Git {
  const { address, options, program, dir } = job;
  const { environment, useGitCredentials = false, timeoutMs = FETCH_TIMEOUT_MS, signal } = options;
  const end = now() + timeoutMs;
  const protocol = address.kind;
  const hasCredentials = useGitCredentials || address.credentials !== undefined;
  const settings = buildGitSettings({ protocol, hasCredentials }).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const [home, repository] = [join(dir, 'home'), join(dir, REPOSITORY)];
  const env = buildGitEnvironment({ environment, protocol, home, secretSettings, useGitCredentials });
  const command = (args: readonly string[]): readonly string[] => [
    ...limitCommand(options.maxBytes ?? MAX_FETCH_BYTES),
    program,
    ...settings,
    `--git-dir=${repository}`,
    ...args,
  ];
  return {
    dir,
    repository,
    env,
    command,
    run: (args, more) =>
      runProcess(command(args), {
        cwd: dir,
        env,
        timeoutMs: Math.max(0, end - now()),
        maxOutputBytes: MAX_MESSAGE_BYTES,
        signal,
        watchdog: process.platform === 'win32' ? undefined : '/bin/sh',
        ...more,
      }),
  };
}

/** Limits memory and file size through a shell, because Node cannot; `fetchCommit` also watches the folder's size. */
function limitCommand(maxBytes: number): readonly string[] {
  if (process.platform === 'win32') return [];
  const script = '{ ulimit -c 0; ulimit -f "$1"; ulimit -d "$2"; } 2>/dev/null; shift 2; exec "$@"';
  return ['/bin/sh', '-c', script, 'sh', String(Math.ceil(maxBytes / 512) + 1), String(MAX_MEMORY_BYTES / 1024)];
}

/** Git sends them to this host only; they stay out of the address, the configuration and the list of processes. */
function urlCredentials({ address: { url, credentials } }: FetchJob): readonly GitSetting[] {
  if (credentials === undefined) return [];
  const basic = Buffer.from(credentials.reveal()).toString('base64');
  return [[`http.${new URL(url).origin}/.extraHeader`, `Authorization: Basic ${basic}`]];
}

/** Reads the credential settings, and nothing else, of the user's configuration. */
async function readUserCredentials(git: Git, { options }: FetchJob): Promise<readonly GitSetting[]> {
  const { variables, home } = options.environment;
  const own = Object.entries(variables).filter(([name]) => /^GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)$/.test(name));
  const { GIT_CONFIG_GLOBAL: _global, GIT_CONFIG_NOSYSTEM: _system, ...rest } = git.env;
  const env = { ...rest, HOME: home, ...Object.fromEntries(own.map(([name, value]) => [name, value ?? ''])) };
  const read = await git.run(['config', '--null', '--includes', '--get-regexp', '^credential\\.'], { env });
  const pairs = read.exitCode === 0 ? read.stdout.split('\0').slice(0, -1) : [];
  return pairs.map((pair) => {
    const [key = '', ...lines] = pair.split('\n');
    return [key, lines.join('\n')];
  });
}
