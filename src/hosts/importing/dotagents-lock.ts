import { parseTomlText } from '../editing/toml-text.ts';
import { textAt, valueAt } from '../history/json-value.ts';
import { objectOf } from '../seeing/settings-file.ts';
import { flaw, readNamed, tidyFolder, type ForeignRecords } from './foreign-records.ts';
import type { LockPlace } from './skills-lock.ts';

/** Reads `agents.lock` of dotagents (seen in 1.19.0). */
export function parseDotagentsLock(text: string, { file, folderOf }: LockPlace): ForeignRecords {
  const read = parseTomlText(text);
  if (!read.ok) return { skills: [], diagnostics: [flaw(file, read.message)] };
  return readNamed(file, objectOf(valueAt(read.value, 'skills')), (name, entry) => {
    if (typeof entry !== 'object' || entry === null) return 'its entry is not a table';
    const [address, ref] = [textAt(entry, 'resolved_url'), textAt(entry, 'resolved_ref')];
    const commit = textAt(entry, 'resolved_commit');
    const path = tidyFolder(textAt(entry, 'resolved_path') ?? '');
    const from = address === undefined ? undefined : { address, path, ref, commit };
    return { name, tool: 'dotagents', folder: folderOf(name), from };
  });
}
