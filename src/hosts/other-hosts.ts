import { join } from 'node:path';

import { projectDirectories } from '../platform/project.ts';
import { sourceTable } from '../sources/table.ts';
import type { HostPlace, SeeingHost } from './host.ts';
import { quoteValues, splitAtFences, type Dialect } from './seeing/dialect.ts';
import { dropSameFiles, loadFirst } from './seeing/first-wins.ts';
import type { HostRoot } from './seeing/host-skill.ts';
import { listEverything } from './seeing/list-everything.ts';
import { readRoot, type ReadingRules } from './seeing/read-walked.ts';
import { fieldText } from './seeing/skill-text.ts';

/** Hosts of which only the folders are known: the other rows of the table of places, by the first word of their ids. */
const OTHERS: ReadonlyMap<string, string> = new Map(
  sourceTable
    .filter(({ isDefault }) => !isDefault)
    .map(({ id, group }) => [id.replace(/-(?:user|project)$/, ''), group] as const)
    .filter(([id]) => !['cursor', 'gemini', 'github', 'opencode'].includes(id)),
);

export const OTHER_HOST_IDS: readonly string[] = [...OTHERS.keys()];

/** A host with discovery alone; undefined if the table has no such row. */
export function findOtherHost(id: string): SeeingHost | undefined {
  const title = OTHERS.get(id);
  if (title === undefined) return undefined;
  const roots = (place: HostPlace): readonly HostRoot[] => rootsOf(id, place);
  return {
    id,
    title,
    seenIn: undefined,
    naming: 'frontmatter',
    builtIn: [],
    roots,
    discover: (place) => loadFirst(dropSameFiles(roots(place).flatMap((root) => readRoot(root, RULES)))),
    readSwitches: () => ({ files: [], faults: [], stateOf: () => undefined }),
    layOut: listEverything,
  };
}

function rootsOf(id: string, { cwd, home }: HostPlace): readonly HostRoot[] {
  return sourceTable
    .filter((row) => row.id === `${id}-project` || row.id === `${id}-user`)
    .flatMap(({ place }): readonly HostRoot[] =>
      place.startsWith('~/')
        ? [{ path: join(home, place.slice(2)), level: 'user', use: 'private' }]
        : projectDirectories(cwd).map((dir) => ({ path: join(dir, place), level: 'project', use: 'private' })),
    );
}

const DIALECT: Dialect = { split: splitAtFences, recover: (yaml) => quoteValues(yaml), duplicates: 'first' };
const RULES: ReadingRules = {
  depth: 1,
  dialect: DIALECT,
  judge: ({ fields }, id) => ({
    name: fieldText(fields, 'name') ?? id,
    description: fieldText(fields, 'description') ?? '',
  }),
};
