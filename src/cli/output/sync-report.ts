import { dirname, basename } from 'node:path';

import { HOSTS, type HostId, type SyncChange, type SyncPlan, type SyncProblem } from '../../hosts.ts';
import type { Invocation } from '../command.ts';
import type { Output, Style } from './output.ts';
import { printDiff } from './print-diff.ts';

/** The names of hosts for people. */
export function titleHosts(hosts: readonly HostId[]): string {
  return hosts.map((id) => HOSTS[id].title).join(', ');
}

/** Prints what a sync would change: entries by folder, settings as diffs. */
export function printPlan({ changes, files }: SyncPlan, out: Output): void {
  const entries = changes.filter(({ kind }) => kind !== 'switch-off' && kind !== 'switch-on');
  for (const [folder, group] of Map.groupBy(entries, ({ path }) => dirname(path))) {
    out.line({ text: folder, style: 'bold' });
    for (const change of group) printEntry(change, out);
  }
  for (const { diff } of files) printDiff(diff, out);
}

const SIGNS: Readonly<Record<SyncChange['kind'], readonly [sign: string, style: Style]>> = {
  link: ['+', 'green'],
  copy: ['+', 'green'],
  remove: ['-', 'red'],
  'switch-off': ['○', 'yellow'],
  'switch-on': ['✓', 'green'],
};

function printEntry({ kind, path, target, because }: SyncChange, out: Output): void {
  const [sign, style] = SIGNS[kind];
  const what = kind === 'remove' ? `  ${because}` : `${kind === 'copy' ? ' = copy of ' : ' → '}${target ?? ''}`;
  out.line({ text: `${sign} ${basename(path)}`, style }, { text: what, style: 'dim' });
}

/** Prints what a sync changed, in one line for each kind, and what could not be done. */
export function printSyncReport({ changes, hosts }: SyncPlan, done: string, out: Output): void {
  const parts = WORDS.flatMap(([kind, one, many]) => {
    const count = changes.filter((change) => change.kind === kind).length;
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  });
  out.line(
    parts.length === 0
      ? `Nothing to do: ${titleHosts(hosts)} in step.`
      : `${done} ${titleHosts(hosts)}: ${parts.join(', ')}.`,
  );
}

const WORDS: readonly (readonly [kind: SyncChange['kind'], one: string, many: string])[] = [
  ['link', 'link made', 'links made'],
  ['copy', 'copy made', 'copies made'],
  ['remove', 'entry removed', 'entries removed'],
  ['switch-off', 'skill switched off', 'skills switched off'],
  ['switch-on', 'switch taken back', 'switches taken back'],
];

const MOST_PROBLEMS = 8;

/** Prints what is not as the catalog says: skills with the same reason share a line. */
export function printProblems(
  problems: readonly SyncProblem[],
  { out, renderHint }: Pick<Invocation, 'out' | 'renderHint'>,
): void {
  const groups = [...Map.groupBy(problems, ({ hosts, because }) => `${titleHosts(hosts)}: ${because}`)];
  for (const [reason, group] of groups.slice(0, MOST_PROBLEMS)) {
    const [first] = group;
    out.line({ text: '!', style: 'yellow' }, ' ', { text: group.map(({ skill }) => skill).join(', '), style: 'bold' });
    out.line('    ', reason);
    if (first?.path !== undefined) out.line('    ', { text: first.path, style: 'dim' });
    if (first?.remedy !== undefined) out.line('    ', { text: `→ ${renderHint(first.remedy)}`, style: 'cyan' });
  }
  if (groups.length > MOST_PROBLEMS)
    out.line({ text: `and ${groups.length - MOST_PROBLEMS} more; --json has all`, style: 'dim' });
}
