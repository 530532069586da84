import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

import type { SkillsSection } from '../model/config.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { attempt } from './errors.ts';

/** The engine's whole environment; nothing else reads the process. */
export interface Environment {
  readonly cwd: string;
  readonly home: string;
  /** `AGENT_HOME`, or `~/.agent`. */
  readonly agentHome: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Undefined on systems without user ids. */
  readonly userId: number | undefined;
  /** Settings that the program lays over the configuration files. */
  readonly settings?: SkillsSection | undefined;
}

export interface EnvironmentOptions {
  readonly cwd?: string | undefined;
  readonly home?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Settings merged over the configuration files, as in their `skills:` section. Whatever the files disable stays
   * disabled; lists of names are joined.
   */
  readonly config?: SkillsSection | undefined;
}

/** The surroundings of this process; each part can be replaced. */
export function readEnvironment({ cwd, home, env = process.env, config }: EnvironmentOptions = {}): Environment {
  const base = {
    cwd: resolve(cwd ?? process.cwd()),
    // An empty or relative `HOME` must not resolve into a project, whose author would be treated as the user.
    home: resolve(home ?? resolve('/', env['HOME'] || homedir())),
    variables: env,
    userId: process.getuid?.(),
    ...(config === undefined ? {} : { settings: config }),
  };
  const agentHome = env['AGENT_HOME'] || '~/.agent';
  const expanded = expandPath(agentHome, { ...base, agentHome: '' }, base.cwd);
  return { ...base, agentHome: expanded.ok ? expanded.path : resolve(base.cwd, agentHome) };
}

/** The system that this process runs on. */
export function systemName(): NodeJS.Platform {
  return process.platform;
}

/** Expands `~`, `$VAR` and `${VAR}`; a path that is then still relative is resolved against `base`. */
export function expandPath(path: string, environment: Environment, base: string): Outcome<{ readonly path: string }> {
  const missing: string[] = [];
  const named = path.replaceAll(/\$(?:\{(\w+)\}|(\w+))/g, (whole, braced?: string, bare?: string) => {
    const name = braced ?? bare ?? '';
    const value = environment.variables[name];
    if (value === undefined || value === '') missing.push(name);
    return value ?? whole;
  });
  if (missing.length > 0) return fail('CONFIG_INVALID', `${path}: the variable ${missing.join(', ')} is not set`);
  const full = named === '~' || /^~[/\\]/.test(named) ? join(environment.home, named.slice(1)) : named;
  return { ok: true, path: resolve(base, full) };
}

/** Finds a command on the PATH without running anything; ignores relative PATH entries. */
export function findCommand(name: string, environment: Pick<Environment, 'variables'>): string | undefined {
  if (name === '' || /[/\\\0]/.test(name)) return undefined;
  const endings =
    process.platform === 'win32' ? (environment.variables['PATHEXT'] ?? '.EXE;.CMD;.BAT').split(';') : [''];
  for (const dir of (environment.variables['PATH'] ?? '').split(delimiter)) {
    if (!isAbsolute(dir)) continue;
    const found = endings.map((ending) => join(dir, `${name}${ending}`)).find(isExecutableFile);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isExecutableFile(path: string): boolean {
  const stats = attempt(() => statSync(path, { throwIfNoEntry: false }));
  if (!stats.ok || stats.value?.isFile() !== true) return false;
  return attempt(() => accessSync(path, constants.X_OK)).ok;
}
