import { devNull } from 'node:os';
import { delimiter, isAbsolute } from 'node:path';

import type { Environment } from '../environment.ts';

/** How git reaches a repository; git may use this protocol and no other. */
export type GitProtocol = 'https' | 'http' | 'ssh' | 'file';

export type GitSetting = readonly [key: string, value: string];

export interface GitSurroundings {
  readonly environment: Environment;
  readonly protocol: GitProtocol;
  /** An empty folder of our own. */
  readonly home: string;
  /** Settings that must not show up in the list of processes. */
  readonly secretSettings: readonly GitSetting[];
  /** May git use the user's keys and credential helpers? */
  readonly useGitCredentials: boolean;
  /** Git's memory limit per allocation, in bytes: an object that unpacks to more is refused. */
  readonly maxAllocation?: number | undefined;
}

/**
 * Builds git's whole environment: no user configuration, no password prompts, one protocol. With `useGitCredentials`
 * it keeps the user's variables except git's own; the user's configuration stays out.
 */
export function buildGitEnvironment(surroundings: GitSurroundings): Readonly<Record<string, string>> {
  const { environment, protocol, home, useGitCredentials } = surroundings;
  const { variables } = environment;
  const isOurs = (name: string): boolean => !/^(?:GIT_|SSH_ASKPASS)/i.test(name);
  const kept = Object.keys(variables).filter(useGitCredentials ? isOurs : (name) => NETWORK.test(name));
  const dirs = (variables['PATH'] ?? '').split(delimiter).filter((dir) => isAbsolute(dir));
  return {
    ...Object.fromEntries(kept.map((name) => [name, variables[name] ?? ''])),
    ...(useGitCredentials ? { HOME: environment.home } : { HOME: home, XDG_CONFIG_HOME: home }),
    PATH: dirs.join(delimiter),
    TMPDIR: home,
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    SSH_ASKPASS_REQUIRE: 'never',
    GCM_INTERACTIVE: 'never',
    GIT_ALLOW_PROTOCOL: protocol,
    GIT_PROTOCOL_FROM_USER: '0',
    GIT_SSH_COMMAND: SSH_COMMAND,
    GIT_SSH_VARIANT: 'ssh',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_GRAFT_FILE: devNull,
    GIT_LITERAL_PATHSPECS: '1',
    GIT_ALLOC_LIMIT: String(surroundings.maxAllocation ?? 0),
    ...secretVariables(surroundings.secretSettings),
  };
}

/** How this machine reaches the network; not part of the git configuration. */
const NETWORK = /^(?:https?_proxy|all_proxy|no_proxy|SSL_CERT_FILE|SSL_CERT_DIR|GIT_SSL_CAINFO|SystemRoot)$/i;

/** No prompts, no connection that outlives the command, no forwarding. */
const SSH_COMMAND = [
  'ssh -o BatchMode=yes -o ConnectTimeout=30 -o ServerAliveInterval=15 -o ServerAliveCountMax=2',
  '-o ControlMaster=no -o ControlPath=none -o ClearAllForwardings=yes -o ForwardAgent=no -o PermitLocalCommand=no',
].join(' ');

function secretVariables(settings: readonly GitSetting[]): Readonly<Record<string, string>> {
  const variables: Record<string, string> = { GIT_CONFIG_COUNT: String(settings.length) };
  for (const [at, [key, value]] of settings.entries()) {
    variables[`GIT_CONFIG_KEY_${at}`] = key;
    variables[`GIT_CONFIG_VALUE_${at}`] = value;
  }
  return variables;
}

export interface SettingOptions {
  readonly protocol: GitProtocol;
  readonly followRedirects: boolean;
  /** `host:port:address,…`: where the host is found, whatever a lookup says. */
  readonly resolved?: string | undefined;
  /** For how long a server may send nothing. It ends git even if this process was killed. */
  readonly timeoutMs: number;
}

/** Settings for every git command. */
export function buildGitSettings({
  protocol,
  followRedirects,
  resolved,
  timeoutMs,
}: SettingOptions): readonly GitSetting[] {
  return [
    ['protocol.allow', 'never'],
    [`protocol.${protocol}.allow`, 'always'],
    ['http.followRedirects', followRedirects ? 'initial' : 'false'],
    ...(resolved === undefined ? [] : [['http.curloptResolve', resolved] as const]),
    ['http.lowSpeedLimit', '1'],
    ['http.lowSpeedTime', String(Math.ceil(timeoutMs / 1_000))],
    ['core.hooksPath', devNull],
    ['core.fsmonitor', 'false'],
    ['core.symlinks', 'false'],
    ['core.attributesFile', devNull],
    ['core.excludesFile', devNull],
    // Larger objects are streamed, never held in memory.
    ['core.bigFileThreshold', '1m'],
    ['safe.bareRepository', 'explicit'],
    ['transfer.fsckObjects', 'true'],
    ['fetch.fsckObjects', 'true'],
    // One pack, never thousands of loose files.
    ['fetch.unpackLimit', '1'],
    ['fetch.recurseSubmodules', 'false'],
    ['submodule.recurse', 'false'],
    ['fetch.writeCommitGraph', 'false'],
    ['transfer.bundleURI', 'false'],
    // The repository is removed as soon as it was read.
    ['core.fsync', 'none'],
    ['gc.auto', '0'],
    ['maintenance.auto', 'false'],
  ];
}
