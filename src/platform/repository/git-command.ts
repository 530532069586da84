import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { fail, type Outcome } from '../../model/outcome.ts';
import { now } from '../clock.ts';
import { findCommand } from '../environment.ts';
import { attempt } from '../errors.ts';
import { runProcess, type ProcessOptions, type ProcessResult } from '../process/run-process.ts';
import type { FetchOptions, GitAddress } from './git-address.ts';
import { buildGitEnvironment, buildGitSettings, type GitSetting } from './git-environment.ts';

/** For a whole fetch, helpers included. */
export const FETCH_TIMEOUT_MS = 120_000;
export const MAX_FETCH_BYTES: number = 200 * 1024 * 1024;
const MAX_MESSAGE_BYTES: number = 1024 * 1024;
/** Older versions cannot be told to ignore the user's configuration. */
const OLDEST = [2, 32] as const;

/** Git on one bare repository of our own, isolated from the user's configuration. */
export interface Git {
  /** A private folder, which is also the working directory. */
  readonly dir: string;
  readonly env: Readonly<Record<string, string>>;
  /** The whole command line for these arguments. */
  command(args: readonly string[]): readonly string[];
  /** Runs git within the rest of the time limit. */
  run(args: readonly string[], options?: Partial<ProcessOptions>): Promise<ProcessResult>;
}

/**
 * Creates an empty repository in a private folder. `resolved` says where the host is found (`host:port:address`). Git may use the user's configuration only after its version was checked.
 */
export async function openGit(
  dir: string,
  address: GitAddress,
  options: FetchOptions,
  resolved?: string,
): Promise<Outcome<{ readonly git: Git }>> {
  const program = findCommand('git', options.environment);
  if (program === undefined) return fail('INSTALL_FAILED', 'git is not installed, or not on the PATH');
  const end = now() + (options.timeoutMs ?? FETCH_TIMEOUT_MS);
  const secrets = urlCredentials(address);
  const parts = { program, address, options, end, secrets, resolved };
  const git = buildGit(dir, parts);
  const version = await git.run(['version']);
  if (version.ended !== 'exited') return fail('INSTALL_FAILED', `git could not be run: ${version.ended}`);
  if (!isRecent(version.stdout))
    return fail('INSTALL_FAILED', `git ${OLDEST.join('.')} or newer is needed; this is ${version.stdout.trim()}`);
  const made = attempt(() => writeEmptyRepository(repositoryIn(dir)));
  if (!made.ok) return fail('INSTALL_FAILED', `a repository could not be created in ${dir}: ${made.message}`);
  if (options.useGitCredentials !== true) return { ok: true, git };
  const own = await readUserCredentials(git, options);
  return { ok: true, git: buildGit(dir, { ...parts, secrets: [...secrets, ...own] }) };
}

interface GitParts {
  readonly program: string;
  readonly address: GitAddress;
  readonly options: FetchOptions;
  /** When all time is used up. */
  readonly end: number;
  readonly secrets: readonly GitSetting[];
  readonly resolved: string | undefined;
}

function buildGit(dir: string, { program, address, options, end, secrets, resolved }: GitParts): Git {
  const { environment, useGitCredentials = false, timeoutMs = FETCH_TIMEOUT_MS, signal } = options;
  const protocol = address.kind;
  const env = buildGitEnvironment({
    environment,
    protocol,
    home: join(dir, 'home'),
    secretSettings: secrets,
    useGitCredentials,
    // For a local repository, the sending side has the same environment.
    maxAllocation: protocol === 'file' ? undefined : (options.maxBytes ?? MAX_FETCH_BYTES),
  });
  const hasCredentials = useGitCredentials || address.credentials !== undefined;
  const followRedirects = !hasCredentials && (options.isTyped !== false || address.mayRedirect === true);
  const settings = buildGitSettings({ protocol, followRedirects, resolved, timeoutMs });
  const given = [...settings.flatMap(([key, value]) => ['-c', `${key}=${value}`]), `--git-dir=${repositoryIn(dir)}`];
  const command: Git['command'] = (args) => [program, ...given, ...args];
  return {
    dir,
    env,
    command,
    run: (args, more) =>
      runProcess(command(args), {
        cwd: dir,
        env,
        timeoutMs: Math.max(0, end - now()),
        maxOutputBytes: MAX_MESSAGE_BYTES,
        signal,
        ...more,
      }),
  };
}

function repositoryIn(dir: string): string {
  return join(dir, 'repository.git');
}

/** Writes the few files of an empty bare repository (gitrepository-layout(5)), which `git init` would need a process for. */
function writeEmptyRepository(dir: string): void {
  for (const folder of ['objects', 'refs']) mkdirSync(join(dir, folder), { recursive: true });
  writeFileSync(join(dir, 'HEAD'), 'ref: refs/heads/none\n');
  writeFileSync(join(dir, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n');
}

function isRecent(version: string): boolean {
  const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(version) ?? []).map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

/** Git sends them to this host only; they stay out of the address, the configuration and the list of processes. */
function urlCredentials({ url, credentials }: GitAddress): readonly GitSetting[] {
  if (credentials === undefined) return [];
  const basic = Buffer.from(credentials.reveal()).toString('base64');
  return [[`http.${new URL(url).origin}/.extraHeader`, `Authorization: Basic ${basic}`]];
}

/** Reads the credential settings, and nothing else, of the user's configuration. */
async function readUserCredentials(git: Git, { environment }: FetchOptions): Promise<readonly GitSetting[]> {
  const { variables, home } = environment;
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
