import { dirname, basename } from 'node:path';

import type { SyncChange, SyncPlan, SyncProblem } from '../../hosts/sync/sync-plan.ts';
import { AGENTS, type AgentId } from '../../model/agents.ts';
import type { Invocation } from '../command.ts';
import type { Output, Style } from './output.ts';
import { printDiff } from './print-diff.ts';

/** The names of hosts for people. */
export function titleHosts(hosts: readonly AgentId[]): string {
  return hosts.map((id) => AGENTS[id].title).join(', ');
}

/** Prints planned changes: links by folder, settings as diffs. */
export function printPlan({ changes, files }: Pick<SyncPlan, 'changes' | 'files'>, out: Output): void {
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

/** Prints completed changes, one line per kind, and problems. */
export function printSyncReport(
  { changes, hosts }: Pick<SyncPlan, 'changes' | 'hosts'>,
  done: string,
  out: Output,
): void {
  const parts = WORDS.flatMap(([kind, one, many]) => {
    const count = changes.filter((change) => change.kind === kind).length;
    return count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];
  });
  out.line(parts.length === 0 ? `Nothing to do. In sync: ${titleHosts(hosts)}.` : `${done}: ${parts.join(', ')}.`);
}

const WORDS: readonly (readonly [kind: SyncChange['kind'], one: string, many: string])[] = [
  ['link', 'link added', 'links added'],
  ['copy', 'copy added', 'copies added'],
  ['remove', 'link removed', 'links removed'],
  ['switch-off', 'skill turned off', 'skills turned off'],
  ['switch-on', 'skill turned back on', 'skills turned back on'],
];

const MOST_PROBLEMS = 8;

/** Prints what is not as the catalog says: skills with the same reason share a line. */
export function printProblems(
  problems: readonly SyncProblem[],
  { out, sayNext }: Pick<Invocation, 'out' | 'sayNext'>,
): void {
  const groups = [...Map.groupBy(problems, ({ hosts, because }) => `${titleHosts(hosts)}: ${because}`)];
  for (const [reason, group] of groups.slice(0, MOST_PROBLEMS)) {
    const [first] = group;
    out.line({ text: '!', style: 'yellow' }, ' ', { text: group.map(({ skill }) => skill).join(', '), style: 'bold' });
    out.line('    ', reason);
    if (first?.path !== undefined) out.line('    ', { text: first.path, style: 'dim' });
    if (first?.next !== undefined) out.line('    ', { text: `→ ${sayNext(first.next)}`, style: 'cyan' });
  }
  if (groups.length > MOST_PROBLEMS)
    out.line({ text: `and ${groups.length - MOST_PROBLEMS} more; --json has all`, style: 'dim' });
}
