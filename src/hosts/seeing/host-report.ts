import { basename, dirname, join } from 'node:path';

import { findCommand } from '../../platform/environment.ts';
import { exists, isInside, readOwnText, realPath } from '../../platform/files/files.ts';
import type { ConnectPlace } from '../connecting/connect-host.ts';
import { readConnection, type HostConnection } from '../connecting/read-connection.ts';
import type { Host } from '../host.ts';
import { viewHost, type HostView, type Standing } from './view-host.ts';

/** The traces of a host on this machine. */
export interface HostReport {
  readonly host: Host;
  /** Where the program is; undefined if it is not on the PATH. */
  readonly program: string | undefined;
  /** As far as files say it: nothing is run. */
  readonly version: string | undefined;
  /** True if the program or the host's folder is there. */
  readonly isPresent: boolean;
  /** The folders that exist, with the number of skills that the host finds in each. */
  readonly folders: readonly { readonly path: string; readonly skills: number }[];
  readonly counts: Readonly<Record<Standing, number>>;
  readonly view: HostView;
  readonly connection: HostConnection;
}

export function reportHost(host: Host, place: ConnectPlace): HostReport {
  const program = findCommand(host.program, place);
  const view = viewHost(host, place);
  const folders = host
    .roots(place)
    .map(({ path }) => path)
    .filter(exists)
    .map((path) => ({ path, skills: view.skills.filter(({ skill }) => isInFolder(skill.file, path)).length }));
  return {
    host,
    program,
    version: program === undefined ? undefined : findVersion(program),
    isPresent: program !== undefined || exists(host.folder(place)),
    folders,
    counts: countStandings(view),
    view,
    connection: readConnection(host, place),
  };
}

export function countStandings({ skills }: HostView): Readonly<Record<Standing, number>> {
  const count = (wanted: Standing): number => skills.filter(({ standing }) => standing === wanted).length;
  return { described: count('described'), named: count('named'), hidden: count('hidden'), lost: count('lost') };
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
