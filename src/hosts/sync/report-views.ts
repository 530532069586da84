import type { AgentId } from '../../model/agents.ts';
import { realPath } from '../../platform/files/files.ts';
import { hostOf } from '../all-hosts.ts';
import type { HostPlace } from '../host.ts';
import { viewHost, type HostView } from '../seeing/view-host.ts';
import type { SyncProblem } from './sync-plan.ts';
import { findSynced, type SyncedCopy } from './synced-copies.ts';
import type { WantedSkill } from './wanted-skills.ts';

/** The state that a sync left. */
export interface SyncedState {
  readonly skills: readonly WantedSkill[];
  /** Our copies, where links were not possible or not wanted. */
  readonly copies: readonly SyncedCopy[];
  readonly place: HostPlace;
}

/**
 * Replays each host on the disk as it is after a sync, and lists where it does not see what it should, with its own reason.
 * What a skill's own frontmatter keeps from models is as it should be.
 */
export function listUnseen(hosts: readonly AgentId[], { skills, copies, place }: SyncedState): readonly SyncProblem[] {
  return hosts.flatMap((id) => {
    const view = viewHost(hostOf(id), place);
    const find = findSynced(view, copies);
    const switches = hostOf(id).switch.read(place);
    const wanted = skills.filter((skill) => skill.isPlaced && skill.hosts.has(id));
    return wanted.flatMap((skill): readonly SyncProblem[] => {
      const { name, file } = skill;
      const seen = find(skill);
      if (seen === undefined) return [{ kind: 'unseen', skill: name, hosts: [id], ...explainAbsence(file, view) }];
      if (seen.standing === 'described' || seen.standing === 'named') return [];
      if (seen.standing === 'hidden' && switches.stateOf(seen.skill)?.file === undefined) return [];
      const { because = 'it is not listed', next } = seen;
      return [{ kind: 'unseen', skill: name, hosts: [id], because, ...(next === undefined ? {} : { next }) }];
    });
  });
}

function explainAbsence(file: string, { host, skills }: HostView): Pick<SyncProblem, 'because' | 'next'> {
  const rival = skills.find(({ skill }) => skill.rivals?.some((path) => realPath(path) === file) === true);
  if (rival === undefined) return { because: `${host.title} does not come across it` };
  return {
    because: `${host.title} takes one of several skills of this name at random; another one is ${rival.skill.file}`,
    next: { advice: 'Rename one of the two, or remove one.' },
  };
}
