import { posix } from 'node:path';

import type { Diagnostic } from '../../model/diagnostic.ts';
import type { ForeignSkill } from '../../model/foreign-skill.ts';
import { isFolderName } from '../../parse/name-rules.ts';
import { readOwnText } from '../../platform/files/files.ts';

/** The skills in the records of a tool, and every record that gives none. */
export interface ForeignRecords {
  readonly skills: readonly ForeignSkill[];
  readonly diagnostics: readonly Diagnostic[];
}

export const NO_RECORDS: ForeignRecords = { skills: [], diagnostics: [] };

/** Reads a file of another tool, which may be missing. */
export function readRecordFile(file: string, parse: (text: string) => ForeignRecords): ForeignRecords {
  const read = readOwnText(file);
  if (!read.ok) return { skills: [], diagnostics: [flaw(file, read.message)] };
  return read.text === undefined ? NO_RECORDS : parse(read.text.replace(/^\uFEFF/, ''));
}

export function joinRecords(all: readonly ForeignRecords[]): ForeignRecords {
  return {
    skills: all.flatMap(({ skills }) => skills),
    diagnostics: all.flatMap(({ diagnostics }) => diagnostics),
  };
}

/** One record of a file that lists skills by name; a name that could lead to another folder is refused. */
export function readNamed(
  file: string,
  entries: Readonly<Record<string, unknown>>,
  read: (name: string, entry: unknown) => ForeignSkill | string,
): ForeignRecords {
  const skills: ForeignSkill[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [name, entry] of Object.entries(entries)) {
    const found = isFolderName(name) ? read(name, entry) : 'it cannot be the name of a folder';
    if (typeof found === 'string') diagnostics.push(flaw(file, `${JSON.stringify(name.slice(0, 120))}: ${found}`));
    else skills.push(found);
  }
  return { skills, diagnostics };
}

export function flaw(path: string, message: string): Diagnostic {
  return { code: 'CONFIG_INVALID', severity: 'warning', path, message };
}

/** A folder of a repository, without `./` and slashes at its ends. */
export function tidyFolder(path: string): string {
  const plain = posix.normalize(path.replaceAll('\\', '/')).replace(/^\/+|\/+$/g, '');
  return plain === '.' ? '' : plain;
}

/** The folder of a SKILL.md in a repository. */
export function folderOfFile(file: string): string {
  const folder = tidyFolder(file);
  return /(?:^|\/)skill\.md$/i.test(folder) ? tidyFolder(posix.dirname(folder)) : folder;
}
