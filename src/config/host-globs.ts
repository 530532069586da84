import { isDeepStrictEqual } from 'node:util';

import type { AgentId } from '../model/agents.ts';
import type { HostGlobs, SkillsConfig } from '../model/config.ts';
import { findMatch } from '../parse/globs.ts';
import type { ConfigEdit } from './edit-config.ts';

/** Shall the host see a skill of this name, if it is enabled? Both the user's and the project's list must say so. */
export function isForHost(name: string, host: AgentId, config: Pick<SkillsConfig, 'hosts' | 'project'>): boolean {
  return isChosen(name, config.hosts[host]) && isChosen(name, config.project.hosts?.[host]);
}

/**
 * A skill's exception in the setting `hosts`. `given`: the agent gets the skill. `not given`: it does not, but may find
 * it itself. `kept`: it must not have it, so its own settings disable it.
 */
export type ExceptionKind = 'given' | 'not given' | 'kept';

/** The exception that the setting `hosts` makes for a skill; undefined if the default holds. A project can only leave out. */
export function findException(
  name: string,
  host: AgentId,
  { hosts, project }: Pick<SkillsConfig, 'hosts' | 'project'>,
): ExceptionKind | undefined {
  const lists = [hosts[host] ?? [], project.hosts?.[host] ?? []];
  const left = lists.filter((globs) => !isChosen(name, globs));
  if (left.length > 0)
    return left.every((globs) => findLast(name, globs)?.startsWith('-') === true) ? 'not given' : 'kept';
  return findLast(name, hosts[host] ?? []) === undefined ? undefined : 'given';
}

/** A skill, a host, and the exception that is to hold; `default` ends the one that there is. */
export interface HostException {
  readonly name: string;
  readonly host: AgentId;
  readonly kind: ExceptionKind | 'default';
}

/** Makes the setting `hosts` have these exceptions. */
export function editExceptions(exceptions: readonly HostException[]): ConfigEdit {
  return (editor, { hosts = {} }) => {
    const after = withExceptions(hosts, exceptions);
    for (const host of new Set(exceptions.map((one) => one.host))) {
      const globs = after[host] ?? [];
      if (!isDeepStrictEqual(globs, hosts[host] ?? []))
        editor.putEntry('hosts', host, globs.length === 0 ? undefined : globs);
    }
  };
}

/** The setting `hosts` after that. */
export function withExceptions(hosts: HostGlobs, exceptions: readonly HostException[]): HostGlobs {
  const after = new Map<string, readonly string[] | undefined>(Object.entries(hosts));
  for (const one of exceptions) after.set(one.host, except(after.get(one.host) ?? [], one));
  return Object.fromEntries(after);
}

/** In an exclusive list, a name is itself; in any other list `+` adds it to the default. */
function except(globs: readonly string[], { name, kind }: HostException): readonly string[] {
  const others = globs.filter((glob) => withoutMark(glob) !== name);
  // An empty exclusive list would include everything.
  if (kind === 'default') return others.length > 0 || choosesOthers(globs) ? others : [`!${name}`];
  if (kind === 'given') return [...others, choosesOthers(globs) ? `+${name}` : name];
  return [...others, `${kind === 'kept' ? '!' : '-'}${name}`];
}

/** The last pattern that matches decides. If none does, a list that begins with a mark, or is empty, chooses the name. */
function isChosen(name: string, globs: readonly string[] = []): boolean {
  const last = findLast(name, globs);
  return last === undefined ? choosesOthers(globs) : !/^[!-]/.test(last);
}

function choosesOthers([first]: readonly string[]): boolean {
  return first === undefined || isMarked(first);
}

function findLast(name: string, globs: readonly string[]): string | undefined {
  return globs.findLast((glob) => findMatch(name, [withoutMark(glob)]) !== undefined);
}

/** `!` keeps skills from the host, `-` does not give them, `+` gives them beside the default. */
function isMarked(glob: string): boolean {
  return /^[!+-]/.test(glob);
}

function withoutMark(glob: string): string {
  return isMarked(glob) ? glob.slice(1) : glob;
}
