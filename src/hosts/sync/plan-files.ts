import { isDeepStrictEqual } from 'node:util';

import type { NextStep } from '../../model/next-step.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { putEntry, takeEntry } from '../editing/foreign-entry.ts';
import { takeBack, withChange, type ChangedText } from '../editing/text-changes.ts';
import type { EditedFile, OwnSwitch } from './manifest.ts';
import type { Observed } from './observed.ts';
import type { FileEdit, PlannedSwitch, SwitchPlan, SyncProblem } from './sync-plan.ts';

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

type Changes = Pick<SwitchPlan, 'added' | 'removed' | 'kept'>;

/** Edits the texts of settings files. A file that cannot be edited stays as it is, and what is ours in it stays ours. */
export function planFiles(
  { added, removed, kept }: Changes,
  known: readonly EditedFile[],
  { text }: Pick<Observed, 'text'>,
): FilesPlan {
  const paths = [...new Set([...known, ...added.map(({ file: path }) => ({ path }))].map(({ path }) => path))];
  const plans = paths.map((path) => {
    const isHere = ({ file }: { readonly file: string }): boolean => file === path;
    const lists = { added: added.filter(isHere), removed: removed.filter(isHere), kept: kept.filter(isHere) };
    const found = text(path);
    const file = known.find((each) => each.path === path) ?? { path, existed: found.text !== undefined, changes: [] };
    return planFile(lists, file, found);
  });
  return {
    edits: plans.flatMap(({ edits }) => edits),
    switches: plans.flatMap(({ switches }) => switches),
    files: plans.flatMap(({ files }) => files),
    added: plans.flatMap((plan) => plan.added),
    removed: plans.flatMap((plan) => plan.removed),
    problems: plans.flatMap(({ problems }) => problems),
  };
}

function planFile(lists: Changes, file: EditedFile, { text: before, fault }: ReturnType<Observed['text']>): FilesPlan {
  const { path, existed } = file;
  const nothing = { edits: [], added: [], removed: [], problems: [] };
  if (lists.added.length + lists.removed.length === 0)
    return { ...nothing, switches: lists.kept, files: lists.kept.length === 0 ? [] : [file] };
  const begun = fault === undefined ? begin(before ?? '', file, lists) : fail('CONFIG_INVALID', fault);
  const problemOf = ({ host, skill }: PlannedSwitch | OwnSwitch, because: string, next?: NextStep): SyncProblem => ({
    kind: 'file',
    skill,
    hosts: [host],
    path,
    because,
    ...(next === undefined ? {} : { next }),
  });
  const refuse = (planned: PlannedSwitch, { message, next }: Failure): SyncProblem =>
    problemOf(planned, `it could not be switched off there, because ${message}`, next);
  if (!begun.ok) {
    const own = [...lists.kept, ...lists.removed];
    const left = lists.removed.map((each) => problemOf(each, `what sync put there stays, because ${begun.message}`));
    const problems = [...left, ...lists.added.map((each) => refuse(each, begun))];
    return { ...nothing, switches: own, files: own.length === 0 ? [] : [file], problems };
  }
  const added: PlannedSwitch[] = [];
  const problems: SyncProblem[] = [];
  const switches: OwnSwitch[] = [...begun.switches];
  let edited: ChangedText = begun;
  for (const planned of [...begun.again, ...lists.added]) {
    if (added.some(({ entry }) => isDeepStrictEqual(entry, planned.entry))) continue;
    const put = putEntry(edited.text, planned.entry);
    if (put.ok) {
      edited = withChange(edited, put.text);
      switches.push({ host: planned.host, skill: planned.skill, file: path, entry: put.entry });
      if (lists.added.includes(planned)) added.push(planned);
    } else problems.push(refuse(planned, put));
  }
  const after = !existed && edited.text.trim() === '' ? undefined : edited.text;
  return {
    switches,
    added,
    removed: lists.removed,
    problems,
    edits: after === before ? [] : [{ path, before, after }],
    files: switches.length === 0 ? [] : [{ ...file, changes: edited.changes }],
  };
}

interface Begun extends ChangedText {
  /** Switches that are still in the text. */
  readonly switches: readonly OwnSwitch[];
  /** Switches to put in again. */
  readonly again: readonly PlannedSwitch[];
}

/** To take one switch out, all are taken back to the byte, and the others put in again. */
function begin(text: string, { path, changes }: EditedFile, { kept, removed }: Changes): Outcome<Begun> {
  if (changes !== undefined && removed.length === 0) return { ok: true, text, changes, switches: kept, again: [] };
  const taken = takeBack({ path, text }, changes, (given) =>
    [...kept, ...removed].reduce<Outcome<{ readonly text: string }>>(
      (left, { entry }) => (left.ok ? takeEntry(left.text, entry, changes) : left),
      { ok: true, text: given },
    ),
  );
  const again = kept.map((own) => ({ ...own, because: '' }));
  return taken.ok ? { ok: true, text: taken.text, changes: [], switches: [], again } : taken;
}
