import { isAbsolute } from 'node:path';

import { projectDirectories } from '../../platform/project.ts';
import type { Host } from '../host.ts';
import type { LineHistory } from './host-history.ts';
import { openNeedleSearch, type NeedleSearch } from './needle-search.ts';
import { readDatabase } from './read-database.ts';
import { needlesOf, readFile, type FileRead, type FileToRead, type ReadTools } from './read-file.ts';
import { PIECE_BYTES } from './scan-lines.ts';
import type { ShownList } from './session.ts';

/** A file of a host's history. */
export interface HostFile {
  readonly host: Pick<Host, 'id' | 'history'>;
  readonly file: FileToRead;
}

/** Reads a file until `isEnough`. Undefined if it cannot be read. */
export type ReadHostFile = (file: HostFile, isEnough: ReadTools['isEnough']) => FileRead | undefined;

/** Opens what all files of an import have in common. */
export function openHistoryReader({ team, toWords }: Pick<ReadTools, 'team' | 'toWords'>): ReadHostFile {
  const [projects, searches] = [new Map<string, string>(), new Map<LineHistory, NeedleSearch>()];
  const tools = {
    team,
    toWords,
    lists: new Map<string, ShownList>(),
    memory: Buffer.allocUnsafe(PIECE_BYTES),
    projectOf(cwd: string) {
      const project = projects.get(cwd) ?? (isAbsolute(cwd) ? (projectDirectories(cwd).at(-1) ?? cwd) : cwd);
      projects.set(cwd, project);
      return project;
    },
    searchOf(history: LineHistory) {
      const search = searches.get(history) ?? openNeedleSearch(needlesOf(history, toWords !== undefined));
      searches.set(history, search);
      return search;
    },
  };
  return ({ host: { id, history }, file }, isEnough) => {
    const own = { ...tools, host: id, isEnough };
    return history.kind === 'lines' ? readFile(history, file, own) : readDatabase(history, file, own);
  };
}
