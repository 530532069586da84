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
  /**
   * Runs git, and then lists the files of a commit. One shell starts both and asks for the version meanwhile: each start
   * from here would take as long as the listing.
   */
  runAndList(args: readonly string[], name: string, options?: Partial<ProcessOptions>): Promise<ListedRun>;
}

/** The end of a command, and its listing. */
export interface ListedRun {
  readonly result: ProcessResult;
  /** The line that `git version` prints. */
  readonly version: string;
  /** The file with the listing of `LIST_TREE`; undefined if there is none. */
  readonly listing: string | undefined;
}

/** The command that lists all files of a commit, whose name follows. */
export const LIST_TREE = ['ls-tree', '-r', '-l', '-z', '--full-tree'] as const;

/** Creates the empty repository. Git may use the user's configuration only after its version was checked. */
export async function openGit(job: FetchJob): Promise<Outcome<{ readonly git: Git }>> {
  const made = makeRepository(job.dir);
  if (!made.ok) return made;
  const git = buildGit(job, urlCredentials(job));
  // Without it, git sees an empty home: even an old one reads no configuration.
  if (job.options.useGitCredentials !== true) return { ok: true, git };
  const version = await git.run(['version']);
  if (version.ended !== 'exited') return fail('INSTALL_FAILED', `git could not be run: ${version.ended}`);
  const checked = checkVersion(version.stdout);
  if (!checked.ok) return checked;
  return { ok: true, git: buildGit(job, [...urlCredentials(job), ...(await readUserCredentials(git, job))]) };
}

/** Is this git new enough? Ask before using anything that it did. */
export function checkVersion(version: string): Outcome {
  const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(version) ?? []).map(Number);
  return major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])
    ? fail('INSTALL_FAILED', `git ${OLDEST.join('.')} or newer is needed; this is ${version.trim()}`)
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
  const withGit = (args: readonly string[]): readonly string[] => [
    program,
    ...settings,
    `--git-dir=${repository}`,
    ...args,
  ];
  const maxBytes = options.maxBytes ?? MAX_FETCH_BYTES;
  const command = (args: readonly string[]): readonly string[] => limit('exec "$@"', withGit(args), maxBytes);
  const start = (whole: readonly string[], more?: Partial<ProcessOptions>): Promise<ProcessResult> =>
    runProcess(whole, {
      cwd: dir,
      env,
      timeoutMs: Math.max(0, end - now()),
      maxOutputBytes: MAX_MESSAGE_BYTES,
      signal,
      watchdog: HAS_SHELL ? '/bin/sh' : undefined,
      ...more,
    });
  const run: Git['run'] = (args, more) => start(command(args), more);
  return {
    dir,
    repository,
    env,
    command,
    run,
    async runAndList(args, name, more) {
      if (!HAS_SHELL) {
        const { stdout: version } = await run(['version']);
        return { result: await run(args, more), version, listing: undefined };
      }
      const listing = join(dir, 'listing');
      const both = limit(FETCH_AND_LIST, [program, repository, name, listing, ...withGit(args)], maxBytes);
      const result = await start(both, more);
      const [version = '', listed] = result.stdout.split('\n');
      return { result, version, listing: listed === LISTED ? listing : undefined };
    },
  };
}

const HAS_SHELL = process.platform !== 'win32';
const LISTED = 'listed';
/** Enough for some hundred thousand files. */
export const MAX_LISTING_BYTES: number = 48 * 1024 * 1024;

/** Ends as its command does. The listing goes to a file, since its size has another limit than that of messages. */
const FETCH_AND_LIST = `git=$1 repository=$2 name=$3 listing=$4
shift 4
"$git" version & version=$!
"$@"
code=$?
wait "$version"
[ "$code" = 0 ] || exit "$code"
ulimit -f ${MAX_LISTING_BYTES / 512} 2>/dev/null
"$git" "--git-dir=$repository" ${LIST_TREE.join(' ')} "$name" >"$listing" 2>/dev/null && echo ${LISTED}
exit 0`;

/** Limits memory and file size through a shell, because Node cannot; `fetchCommit` also watches the folder's size. */
function limit(script: string, args: readonly string[], maxBytes: number): readonly string[] {
  if (!HAS_SHELL) return args;
  const limits = '{ ulimit -c 0; ulimit -f "$1"; ulimit -d "$2"; } 2>/dev/null; shift 2';
  const [files, memory] = [Math.ceil(maxBytes / 512) + 1, MAX_MEMORY_BYTES / 1024];
  return ['/bin/sh', '-c', `${limits}\n${script}`, 'sh', String(files), String(memory), ...args];
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
