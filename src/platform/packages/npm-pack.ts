import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { parseJson } from '../../model/json.ts';
import type { NextStep } from '../../model/next-step.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { findCommand, type Environment } from '../environment.ts';
import { makeTemporaryFolder } from '../files/leftovers.ts';
import { openOwnFile } from '../files/open-file.ts';
import { removeTree } from '../files/remove-tree.ts';
import { runProcess, type ProcessResult } from '../process/run-process.ts';

/** A package as its registry has it. */
export interface PackedPackage {
  readonly version: string;
  /** `sha512-…`, as npm verified it. */
  readonly integrity: string;
  /** The `.tgz`. */
  readonly bytes: Buffer;
}

export interface NpmPackOptions {
  readonly environment: Environment;
  /** The parent of a private folder, which is removed at the end. */
  readonly into: string;
  readonly maxBytes: number;
  /** 120 s by default. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const TIMEOUT_MS = 120_000;
const MAX_OUTPUT_BYTES: number = 8 * 1024 * 1024;

/**
 * Lets the user's own npm fetch a package with its own settings: registries, tokens, proxies. No script of the package is
 * run. Settings of the project are not read, since anybody can have written them. `spec` is `name` or `name@range`.
 */
export async function packNpmPackage(
  spec: string,
  options: NpmPackOptions,
): Promise<Outcome<{ readonly packed: PackedPackage }>> {
  const npm = findCommand('npm', options.environment);
  if (npm === undefined) return fail('INSTALL_FAILED', 'npm is not installed, or not on the PATH');
  const made = makeTemporaryFolder(options.into, (dir) => {
    writeFileSync(join(dir, 'package.json'), '{}\n');
    writeFileSync(join(dir, '.npmrc'), settingsOf(options.environment), { mode: 0o600 });
  });
  if (!made.ok) return made;
  const { dir } = made;
  try {
    const { timeoutMs = TIMEOUT_MS } = options;
    const result = await runProcess(limit([npm, ...argumentsFor(spec, dir, timeoutMs)], options.maxBytes), {
      cwd: dir,
      env: environmentFor(options.environment),
      timeoutMs,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      signal: options.signal,
    });
    if (result.ended !== 'exited' || result.exitCode !== 0) return explain(spec, result);
    return readPacked(spec, result, { dir, maxBytes: options.maxBytes });
  } finally {
    removeTree(dir);
  }
}

/** With its own prefix, npm reads no project and no project `.npmrc`. */
function argumentsFor(spec: string, dir: string, timeoutMs: number): readonly string[] {
  return [
    'pack',
    '--json',
    '--ignore-scripts',
    `--prefix=${dir}`,
    `--pack-destination=${dir}`,
    '--workspaces=false',
    // Also ends npm if we were killed and no longer watch it.
    `--fetch-timeout=${timeoutMs}`,
    '--loglevel=error',
    '--no-update-notifier',
    '--no-fund',
    '--no-audit',
    '--',
    spec,
  ];
}

function environmentFor({ variables, home }: Environment): Readonly<Record<string, string>> {
  const kept = Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return { ...Object.fromEntries(kept), HOME: home, npm_config_ignore_scripts: 'true' };
}

/** A file larger than the limit ends npm. */
function limit(command: readonly string[], maxBytes: number): readonly string[] {
  if (process.platform === 'win32') return command;
  const script = '{ ulimit -c 0; ulimit -f "$1"; } 2>/dev/null; shift; exec "$@"';
  return ['/bin/sh', '-c', script, 'sh', String(Math.ceil(maxBytes / 512) + 1), ...command];
}

/**
 * Settings that the user's variables hold and a shell would drop for their names, such as `npm_config_@team:registry` and the tokens
 * of registries, as lines of a `.npmrc`.
 */
function settingsOf({ variables }: Environment): string {
  const lines = Object.entries(variables).flatMap(([name, value]) => {
    const [, key] = /^npm_config_(.*[^A-Za-z0-9_].*)$/i.exec(name) ?? [];
    return key === undefined || value === undefined ? [] : [`${key}=${JSON.stringify(value)}\n`];
  });
  return lines.join('');
}

function readPacked(
  spec: string,
  { stdout }: ProcessResult,
  { dir, maxBytes }: { readonly dir: string; readonly maxBytes: number },
): Outcome<{ readonly packed: PackedPackage }> {
  const facts = firstObject(parseJson(stdout));
  const { version, integrity } = facts ?? {};
  const name = readdirSync(dir).find((file) => file.endsWith('.tgz'));
  if (typeof version !== 'string' || typeof integrity !== 'string' || name === undefined)
    return fail('INSTALL_FAILED', `npm did not say what it packed for ${spec}`);
  using file = openOwnFile(join(dir, name));
  if (file === undefined || file.size > maxBytes)
    return fail('INSTALL_FAILED', `the package ${spec} is larger than ${maxBytes} bytes`);
  const bytes = file.read(0, file.size);
  return bytes === undefined
    ? fail('INSTALL_FAILED', `the package ${spec} could not be read`)
    : {
        ok: true,
        packed: { version, integrity, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) },
      };
}

/** npm lists what it packed; the list may be an array or an object. */
function firstObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const [first]: unknown[] = Object.values(value);
  return isObject(first) ? first : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function explain(spec: string, { ended, stdout, stderr, startError }: ProcessResult): Failure {
  const could = `the package ${spec} could not be fetched`;
  if (ended === 'timeout') return fail('INSTALL_FAILED', `${could}: npm took too long`);
  if (ended === 'cancelled') return fail('INSTALL_FAILED', `${could}: it was cancelled`);
  if (ended === 'not-started') return fail('INSTALL_FAILED', `${could}: npm could not be started (${startError})`);
  const error = firstObject(parseJson(stdout));
  const code = typeof error?.['code'] === 'string' ? error['code'] : (/code (E\w+)/.exec(stderr)?.[1] ?? '');
  const known = REASONS[code];
  if (known !== undefined) return fail('INSTALL_FAILED', `${could}: ${known[0]}`, known[1]);
  const summary = typeof error?.['summary'] === 'string' ? error['summary'] : lastLine(stderr);
  return fail('INSTALL_FAILED', `${could}: ${summary.slice(0, 300) || 'npm failed without a message'}`);
}

function lastLine(stderr: string): string {
  const lines = stderr
    .split('\n')
    .filter((line) => /^npm (?:error|ERR!)/.test(line) && !line.includes('log of this run'));
  return (lines.at(0) ?? '').replace(/^npm (?:error|ERR!) ?/, '');
}

const LOGIN: NextStep = { ask: 'user', to: 'Log in with npm, or set the token of the registry in your .npmrc.' };
const REASONS: Readonly<Record<string, readonly [reason: string, next?: NextStep]>> = {
  E404: ['the registry has no such package, or it is private', LOGIN],
  E401: ['the registry requires you to log in', LOGIN],
  E403: ['the registry refuses access', LOGIN],
  ETARGET: ['it has no version in this range'],
  EINTEGRITY: ['the registry sent something else than it announced'],
  ENOTFOUND: ['registry not found, or no network'],
  ECONNREFUSED: ['the registry does not answer'],
};
