import { basename, dirname, join } from 'node:path';

import { hostOf } from '../hosts/all-hosts.ts';
import type { Host } from '../hosts/host.ts';
import type { CatalogRoom, HostSkill } from '../hosts/seeing/host-skill.ts';
import { readWalked } from '../hosts/seeing/read-walked.ts';
import { viewHost } from '../hosts/seeing/view-host.ts';
import type { SyncChange } from '../hosts/sync/sync-plan.ts';
import type { AgentId } from '../model/agents.ts';
import { compareText } from '../model/order.ts';
import { now } from '../platform/clock.ts';
import type { Environment } from '../platform/environment.ts';
import { realPath } from '../platform/files/files.ts';

/** How the list of skills that an agent shows its model changes. Names are sorted. */
export interface ListChange {
  readonly agent: AgentId;
  readonly title: string;
  /** Skills that are new in the list, and those that leave it because they are taken away. */
  readonly gains: readonly string[];
  readonly loses: readonly string[];
  /** How long the list was; undefined if the agent has no limit. */
  readonly before?: number | undefined;
  readonly room?: CatalogRoom | undefined;
  /** Skills that lose their description, or a part of it. */
  readonly cut: readonly string[];
  /** Skills for which there is no room any more. */
  readonly lost: readonly string[];
}

/** The list of an agent that gets a skill, and has no room for all of its skills. */
export type FullList = ListChange & { readonly room: CatalogRoom };

export function isFull(list: ListChange): list is FullList {
  return list.gains.length > 0 && list.room !== undefined && list.room.needed > list.room.limit;
}

type EntryChange = Pick<SyncChange, 'kind' | 'path' | 'target' | 'skill' | 'hosts'>;

/** Says how the lists of these agents change, which may read the folders of others; nothing of those whose list stays the same. */
export function forecastLists(
  agents: readonly AgentId[],
  changes: readonly EntryChange[],
  place: Environment,
): readonly ListChange[] {
  return agents.flatMap((id) => forecastList(hostOf(id), changes, place));
}

function forecastList(host: Host, changes: readonly EntryChange[], place: Environment): readonly ListChange[] {
  const roots = host.roots(place);
  const rootOf = (path: string): (typeof roots)[number] | undefined =>
    roots.find((root) => root.path === dirname(path));
  const own = changes.filter(({ kind, path, hosts }) =>
    kind === 'switch-on' || kind === 'switch-off' ? hosts.includes(host.id) : rootOf(path) !== undefined,
  );
  if (own.length === 0) return [];
  const before = viewHost(host, place);
  const listed = before.skills.filter(({ standing }) => standing === 'described' || standing === 'named');
  const files = (kind: EntryChange['kind']): ReadonlySet<string> =>
    new Set(own.flatMap((change) => (change.kind === kind ? [join(change.path, 'SKILL.md')] : [])));
  const gone = files('remove');
  /** A folder of another root may show the same skill still. */
  const isElsewhere = (skill: HostSkill): boolean =>
    roots.some(({ path }) => {
      const file = join(path, basename(dirname(skill.file)), 'SKILL.md');
      return !gone.has(file) && realPath(file) === skill.realFile;
    });
  const isRemoved = (skill: HostSkill): boolean => gone.has(skill.file) && !isElsewhere(skill);
  const off = new Set(own.flatMap(({ kind, skill }) => (kind === 'switch-off' ? [skill] : [])));
  const on = new Set(own.flatMap(({ kind, skill }) => (kind === 'switch-on' ? [skill] : [])));
  const stay = before.skills
    .filter(({ skill, standing }) => standing !== 'hidden' && skill.loss === undefined)
    .filter(({ skill }) => !isRemoved(skill) && !off.has(skill.name))
    .map(({ skill }) => skill);
  const known = new Set(stay.map(({ realFile }) => realFile));
  const linked = own.flatMap(({ kind, path, target }): readonly HostSkill[] => {
    const root = rootOf(path);
    if (root === undefined || target === undefined || (kind !== 'link' && kind !== 'copy')) return [];
    const file = { dir: path, file: join(path, 'SKILL.md'), realFile: join(target, 'SKILL.md') };
    const skill = readWalked(file, root, host.reading);
    return skill.loss === undefined && !off.has(skill.name) ? [skill] : [];
  });
  const switchedOn = before.skills.flatMap(({ skill, standing }) =>
    standing === 'hidden' && on.has(skill.name) && !isRemoved(skill) ? [skill] : [],
  );
  const coming = new Map(
    [...linked, ...switchedOn].flatMap((skill) =>
      known.has(skill.realFile) ? [] : [[skill.realFile, skill] as const],
    ),
  );
  const { entries: lines, room } = host.listing.layOut(
    [...coming.values()].reduce(insert, stay).map((skill) => ({ skill, isNamed: false })),
    place,
    { now: now() },
  );
  const shownBefore = new Map(listed.map(({ skill, text }) => [skill.realFile, text]));
  const after = new Set(lines.map(({ skill }) => skill.realFile));
  const cut = lines.filter(
    ({ isListed, skill, text }) =>
      isListed && text.length < (shownBefore.get(skill.realFile) ?? skill.description).length,
  );
  const change = {
    agent: host.id,
    title: host.title,
    gains: namesOf(lines.filter(({ skill, isListed }) => isListed && !shownBefore.has(skill.realFile))),
    loses: namesOf(listed.filter(({ skill }) => !after.has(skill.realFile))),
    before: before.room?.needed,
    room,
    cut: namesOf(cut),
    lost: namesOf(
      lines.filter(
        ({ isListed, skill: { realFile } }) => !isListed && (shownBefore.has(realFile) || coming.has(realFile)),
      ),
    ),
  };
  const isSame = change.gains.length + change.loses.length + change.lost.length === 0;
  return isSame ? [] : [change];
}

function namesOf(some: readonly { readonly skill: HostSkill }[]): readonly string[] {
  return some.map(({ skill }) => skill.name).sort(compareText);
}

/** Where the list of most hosts has it: by name among the skills of its level. */
function insert(skills: readonly HostSkill[], skill: HostSkill): readonly HostSkill[] {
  const at = skills.findLastIndex(
    ({ name, root }) => root.level === skill.root.level && compareText(name, skill.name) < 0,
  );
  return at === -1 ? [...skills, skill] : skills.toSpliced(at + 1, 0, skill);
}
