import { dirname } from 'node:path';

import { hasEntry, isSameEntry } from '../editing/foreign-entry.ts';
import type { OwnSwitch } from './manifest.ts';
import { listSightings, type Observed, type ObservedHost } from './observed.ts';
import type { PlannedSwitch, SwitchPlan, SyncProblem } from './sync-plan.ts';
import type { WantedSkill } from './wanted-skills.ts';

export interface SwitchRequest {
  readonly host: ObservedHost;
  readonly skills: readonly WantedSkill[];
  /** Our switches of this host. */
  readonly own: readonly OwnSwitch[];
  /** Is this entry of a folder removed by the same sync? */
  readonly isLeaving: (path: string) => boolean;
  /** Names of the entries that it gets, by the folder of the skill. */
  readonly coming: ReadonlyMap<string, string>;
}

/** The switches that keep from a host what it would see in its folders, and should not. */
export function planSwitches(request: SwitchRequest, { text }: Pick<Observed, 'text'>): SwitchPlan {
  const { host, skills, own } = request;
  const desired = skills
    .filter(({ keptFrom }) => keptFrom.has(host.id))
    .flatMap((skill) => listSwitches(skill, request));
  const kept = own.filter(
    (each) => hasEntry(text(each.file).text ?? '', each.entry) && desired.some(({ planned }) => isSame(planned, each)),
  );
  const missing = desired.filter(({ planned }) => !kept.some((each) => isSame(planned, each)));
  return {
    kept,
    // Whatever hides it already is not ours, and enough. A switch of ours counts as gone.
    added: missing.flatMap(({ planned, isHidden }) =>
      planned === undefined || (isHidden && !own.some((each) => isSame(planned, each))) ? [] : [planned],
    ),
    removed: own.filter((each) => !kept.includes(each)),
    problems: missing.flatMap(({ problem, isHidden }) => (problem === undefined || isHidden ? [] : [problem])),
  };
}

interface Desired {
  readonly planned?: PlannedSwitch | undefined;
  readonly problem?: SyncProblem | undefined;
  readonly isHidden: boolean;
}

function listSwitches(skill: WantedSkill, { host, isLeaving, coming }: SwitchRequest): readonly Desired[] {
  return [skill.file, ...skill.copies].flatMap((file) => {
    const dir = dirname(file);
    const entry = coming.get(dir);
    const names = new Set([...listSightings(host, dir, isLeaving), ...(entry === undefined ? [] : [entry])]);
    return [...names].flatMap((name): readonly Desired[] => {
      const seen = host.read(file, name);
      if (seen.loss !== undefined) return [];
      const state = host.stateOf(seen);
      // Users can still start a skill that its own frontmatter hides from models.
      const isHidden = state?.state === 'hidden' && state.file !== undefined;
      const facts = { skill: skill.name, because: skill.whyNot.get(host.id) ?? '' };
      if (!('path' in host.switchFile)) {
        const { because } = host.switchFile;
        return [{ problem: { kind: 'shown', skill: skill.name, hosts: [host.id], because }, isHidden }];
      }
      const { switchFile } = host;
      const entry = switchFile.entryFor(seen);
      return [{ planned: { host: host.id, ...facts, file: switchFile.path, entry }, isHidden }];
    });
  });
}

function isSame(planned: PlannedSwitch | undefined, { file, entry }: OwnSwitch): boolean {
  return planned?.file === file && isSameEntry(planned.entry, entry);
}
