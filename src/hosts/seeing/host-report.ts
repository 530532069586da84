import { basename, dirname, join } from 'node:path';

import { findCommand } from '../../platform/environment.ts';
import { exists, isInside, readOwnText, realPath } from '../../platform/files/files.ts';
import type { ConnectPlace } from '../connecting/connect-host.ts';
import { readConnection, type HostConnection } from '../connecting/read-connection.ts';
import type { KnownHost } from '../host.ts';
import { viewHost, type HostView, type Standing } from './view-host.ts';

/** The traces of a host on this machine. */
export interface HostReport extends Pick<KnownHost, 'id' | 'title' | 'seenIn'>, Pick<HostView, 'faults'> {
  /** Where the program is; undefined if it is not on the PATH. */
  readonly program: string | undefined;
  /** As far as files say it: nothing is run. */
  readonly version: string | undefined;
  /** True if the program or the host's folder is there. */
  readonly isPresent: boolean;
  /** The folders that exist, with the number of skills that the host finds in each. */
  readonly folders: readonly { readonly path: string; readonly skills: number }[];
  readonly counts: Readonly<Record<Standing, number>>;
  /** Why skills are not listed in full, most common first. */
  readonly reasons: readonly StandingReason[];
  readonly connection: HostConnection;
}

/** A reason that some skills share. */
export interface StandingReason {
  readonly standing: Standing;
  readonly because: string;
  readonly skills: readonly string[];
}

/** `view` is the agent's view of its skills. */
export function reportHost(host: KnownHost, place: ConnectPlace, view: HostView = viewHost(host, place)): HostReport {
  const { id, title, seenIn } = host;
  const program = findCommand(host.program, place);
  // A project in the home directory has the same folders as its user.
  const folders = [...new Set(host.roots(place).map(({ path }) => path))]
    .filter(exists)
    .map((path) => ({ path, skills: view.skills.filter(({ skill }) => isInFolder(skill.file, path)).length }));
  return {
    id,
    title,
    seenIn,
    program,
    version: program === undefined ? undefined : findVersion(program),
    isPresent: program !== undefined || exists(host.folder(place)),
    folders,
    counts: countStandings(view),
    reasons: listReasons(view),
    faults: view.faults,
    connection: readConnection(host, place),
  };
}

export function countStandings({ skills }: HostView): Readonly<Record<Standing, number>> {
  const count = (wanted: Standing): number => skills.filter(({ standing }) => standing === wanted).length;
  return { described: count('described'), named: count('named'), hidden: count('hidden'), lost: count('lost') };
}

function listReasons({ skills }: HostView): readonly StandingReason[] {
  const reduced = skills.filter(({ standing, because }) => standing !== 'described' && because !== undefined);
  const groups = Map.groupBy(reduced, ({ standing, because }) => `${standing} ${because}`);
  return [...groups.values()]
    .map((group) => ({
      standing: group[0]?.standing ?? 'lost',
      because: group[0]?.because ?? '',
      skills: group.map(({ skill }) => skill.name),
    }))
    .sort((a, b) => b.skills.length - a.skills.length);
}

function isInFolder(file: string, folder: string): boolean {
  return isInside(file, folder) || isInside(file, realPath(folder) ?? folder);
}

const MOST_LEVELS = 4;

/** From the package that the program belongs to, or from its path. */
function findVersion(program: string): string | undefined {
  const real = realPath(program) ?? program;
  let dir = dirname(real);
  for (let level = 0; level < MOST_LEVELS && basename(dir) !== 'node_modules'; level += 1) {
    const read = readOwnText(join(dir, 'package.json'));
    const version =
      read.ok && read.text !== undefined ? /"version"\s*:\s*"([^"]{1,40})"/.exec(read.text)?.[1] : undefined;
    if (version !== undefined) return version;
    dir = dirname(dir);
  }
  return /[/\\]versions?[/\\]v?(\d+\.\d+[\w.-]*)/.exec(real)?.[1];
}
