import type { SkillsConfig } from '../model/config.ts';
import type { HostId } from '../model/host-id.ts';
import { findMatch } from '../parse/globs.ts';
import type { ConfigEdit } from './edit-config.ts';

/** Lets a host see a skill, or keeps it from it. */
export interface HostSwitch {
  readonly name: string;
  readonly host: HostId;
  readonly isOn: boolean;
}

/** Makes the setting `hosts` say so. */
export function editHostGlobs(switches: readonly HostSwitch[]): ConfigEdit {
  return (editor, { hosts = {} }) => {
    for (const host of new Set(switches.map((one) => one.host))) {
      const before = hosts[host] ?? [];
      const own = switches.filter((one) => one.host === host);
      const after = own.reduce<readonly string[]>((globs, { name, isOn }) => changeGlobs(globs, name, isOn), before);
      if (after !== before) editor.putEntry('hosts', host, after.length === 0 ? undefined : after);
    }
  };
}

/** Shall the host see a skill of this name, if it is enabled? Both the user's and the project's list must say so. */
export function isForHost(name: string, host: HostId, config: Pick<SkillsConfig, 'hosts' | 'project'>): boolean {
  return isChosen(name, config.hosts[host]) && isChosen(name, config.project.hosts?.[host]);
}

/** The last pattern that matches decides. If none does, a list that begins with `!`, or is empty, chooses the name. */
function isChosen(name: string, globs: readonly string[] = []): boolean {
  const last = globs.findLast((glob) => findMatch(name, [withoutMark(glob)]) !== undefined);
  return last === undefined ? choosesOthers(globs) : !isMarked(last);
}

/** The list after a name was chosen or left out; all other names stay as they are. */
export function changeGlobs(globs: readonly string[] = [], name: string, isOn: boolean): readonly string[] {
  if (isChosen(name, globs) === isOn) return globs;
  const others = globs.filter((glob) => glob !== name && glob !== `!${name}`);
  if (isChosen(name, others) === isOn && choosesOthers(others) === choosesOthers(globs)) return others;
  const kept = globs.filter((glob, at) => at === 0 || others.includes(glob));
  return [...kept, isOn ? name : `!${name}`];
}

function choosesOthers([first]: readonly string[]): boolean {
  return first === undefined || isMarked(first);
}

function isMarked(glob: string): boolean {
  return glob.startsWith('!');
}

function withoutMark(glob: string): string {
  return isMarked(glob) ? glob.slice(1) : glob;
}
