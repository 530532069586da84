import { isDeepStrictEqual } from 'node:util';

import type { Outcome } from '../../model/outcome.ts';
import type { ForeignEntry, Seam } from '../editing/foreign-entry.ts';
import { putJsonEntry, takeJsonEntry } from '../editing/json-entries.ts';
import { putTomlLines, takeTomlEntry } from '../editing/toml-entries.ts';
import type { EditedFile, OwnSwitch } from './manifest.ts';
import type { Observed } from './observed.ts';
import type { PlannedSwitch, SwitchPlan } from './plan-switches.ts';
import type { FileEdit, SyncProblem } from './sync-plan.ts';

/** The settings files after the switches of all hosts were changed. */
export interface FilesPlan {
  readonly edits: readonly FileEdit[];
  readonly switches: readonly OwnSwitch[];
  readonly files: readonly EditedFile[];
  /** The switches that could be put in and taken out. */
  readonly added: readonly PlannedSwitch[];
  readonly removed: readonly OwnSwitch[];
  readonly problems: readonly SyncProblem[];
}

/** Edits the texts of settings files. A file that cannot be edited stays as it is, and what is ours in it stays ours. */
export function planFiles(
  switches: Pick<SwitchPlan, 'added' | 'removed' | 'kept'>,
  known: readonly EditedFile[],
  { text }: Pick<Observed, 'text'>,
): FilesPlan {
  const { added, removed, kept } = switches;
  const paths = [...new Set([...known, ...added.map(({ file: path }) => ({ path }))].map(({ path }) => path))];
  const plans = paths.map((path) => {
    const isHere = ({ file }: { readonly file: string }): boolean => file === path;
    const lists = { added: added.filter(isHere), removed: removed.filter(isHere), kept: kept.filter(isHere) };
    return planFile(lists, known.find((file) => file.path === path) ?? newFile(path, text(path).text), text(path));
  });
  return {
    edits: plans.flatMap(({ edit }) => edit ?? []),
    switches: plans.flatMap((plan) => plan.switches),
    files: plans.flatMap(({ file }) => file ?? []),
    added: plans.flatMap((plan) => plan.added),
    removed: plans.flatMap((plan) => plan.removed),
    problems: plans.flatMap((plan) => plan.problems),
  };
}

function newFile(path: string, text: string | undefined): EditedFile {
  return { path, existed: text !== undefined, seams: [] };
}

interface FilePlan extends Pick<FilesPlan, 'switches' | 'added' | 'removed' | 'problems'> {
  readonly edit?: FileEdit | undefined;
  /** Undefined if nothing of ours is in the file. */
  readonly file?: EditedFile | undefined;
}

function planFile(
  lists: Pick<SwitchPlan, 'added' | 'removed' | 'kept'>,
  file: EditedFile,
  { text: before, fault }: ReturnType<Observed['text']>,
): FilePlan {
  const { path } = file;
  const problems: SyncProblem[] = [];
  const switches: OwnSwitch[] = [...lists.kept];
  const [added, removed]: [PlannedSwitch[], OwnSwitch[]] = [[], []];
  const refuse = ({ host, skill }: Pick<OwnSwitch, 'host' | 'skill'>, because: string, remedy?: string): void => {
    problems.push({ kind: 'file', skill, hosts: [host], path, because, ...(remedy === undefined ? {} : { remedy }) });
  };
  let edited: Edited = { text: before ?? '', seams: file.seams };
  for (const own of lists.removed) {
    const taken = fault === undefined ? take(edited, own.entry) : { ok: false as const, message: fault };
    if (taken.ok) {
      edited = taken;
      removed.push(own);
    } else {
      switches.push(own);
      refuse(own, `what sync put there stays, because ${taken.message}`);
    }
  }
  for (const planned of lists.added) {
    if (added.some(({ entry }) => isDeepStrictEqual(entry, planned.entry))) continue;
    const put =
      fault === undefined ? putIn(edited, planned.entry) : { ok: false as const, message: fault, hint: undefined };
    if (put.ok) {
      edited = put;
      added.push(planned);
      switches.push({ host: planned.host, skill: planned.skill, file: path, entry: put.entry });
    } else refuse(planned, `it could not be switched off there, because ${put.message}`, put.hint);
  }
  const after = !file.existed && edited.text.trim() === '' ? undefined : edited.text;
  return {
    switches,
    added,
    removed,
    problems,
    edit: after === before || fault !== undefined ? undefined : { path, before, after },
    file: switches.length === 0 ? undefined : { ...file, seams: edited.seams },
  };
}

interface Edited {
  readonly text: string;
  readonly seams: readonly Seam[];
}

function take({ text, seams }: Edited, entry: ForeignEntry): Outcome<Edited> {
  if (entry.kind !== 'lines') return takeJsonEntry(text, entry, seams);
  const taken = takeTomlEntry(text, entry);
  return taken.ok ? { ok: true, text: taken.text, seams } : taken;
}

function putIn(
  { text, seams }: Edited,
  entry: PlannedSwitch['entry'],
): Outcome<Edited & { readonly entry: ForeignEntry }> {
  if (entry.kind === 'lines') {
    const put = putTomlLines(text, entry.lines);
    return put.ok ? { ok: true, text: put.text, seams, entry: put.entry } : put;
  }
  const put = putJsonEntry(text, entry, seams);
  return put.ok ? { ok: true, text: put.text, seams: put.seams, entry } : put;
}
