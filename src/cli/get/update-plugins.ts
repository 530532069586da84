import { describeFinding } from '../../audit.ts';
import type { ChosenUpdate, SkillUpdate, UpdateCheck } from '../../install.ts';
import { fitToWidth } from '../../model/display-width.ts';
import { exactChoice } from '../../model/origin.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { canAsk, openQuestions } from '../input/ask.ts';
import { listenForInterrupt } from '../input/interrupt.ts';
import { printChanges, readAllowed, showChoice } from '../managing.ts';
import { CONSENT_HINT, renderHints, reportFailure } from '../output/failure.ts';
import type { Output } from '../output/output.ts';
import { printDiff } from '../output/print-diff.ts';
import { printFirst } from '../output/print-first.ts';
import { scopeLabel, type ManagedScope } from '../scopes.ts';

export interface UpdateMode {
  /** Update, or only list what could be updated? */
  readonly isTaking: boolean;
  /** Copies of bundled skills, for the JSON; they were updated before. */
  readonly copies: readonly object[];
}

/** Updates the plugins of each scope, or only lists the outdated ones. */
export async function updatePlugins(
  invocation: Invocation,
  scopes: readonly ManagedScope[],
  { isTaking, copies }: UpdateMode,
): Promise<ExitCode> {
  const { command, isJson, out } = invocation;
  const reports: ScopeReport[] = [];
  let code = 0;
  using interrupt = listenForInterrupt(invocation.io);
  for (const managed of scopes) {
    const label = scopeLabel(managed.scope, scopes);
    const done = await updateScope(managed, invocation, { isTaking, label, signal: interrupt.signal });
    if (!done.ok || done.failed.length > 0) code = 1;
    if (done.ok) reports.push(done);
    else if (isJson || interrupt.signal.aborted) return reportFailure(invocation, done);
    else reportFailure(invocation, done);
  }
  if (isJson) {
    const merge = <Key extends keyof ScopeReport>(key: Key): readonly ScopeReport[Key][number][] =>
      reports.flatMap((report) => [...report[key]]);
    const names = { current: merge('current'), pinned: merge('pinned'), held: merge('held') };
    const isUpdate = command.name === 'update';
    const listed = { [isUpdate ? 'updated' : 'outdated']: merge('listed') };
    out.json({
      ok: code === 0,
      ...(isUpdate && !isTaking ? { dryRun: true } : {}),
      ...listed,
      ...names,
      failed: merge('failed'),
      copies,
    });
  }
  return code;
}

interface ScopeReport extends Pick<UpdateCheck, 'current' | 'pinned' | 'held' | 'failed'> {
  /** The updates, for the JSON. */
  readonly listed: readonly object[];
}

interface ScopeOptions extends Pick<UpdateMode, 'isTaking'> {
  readonly label: string;
  readonly signal: AbortSignal;
}

async function updateScope(
  { scope, installer, names }: ManagedScope,
  invocation: Invocation,
  { isTaking, label, signal }: ScopeOptions,
): Promise<Outcome<ScopeReport>> {
  const { command, options, isJson, out } = invocation;
  const allow = command.name === 'update' ? readAllowed(options) : [];
  const isAsking = isTaking && canAsk(invocation) && !isJson && !options.has('yes');
  let isRefused = false;
  let diffs: ReadonlyMap<string, string> = new Map();
  out.status('Looking for newer versions');
  const decide = async ({ updates }: UpdateCheck): Promise<readonly ChosenUpdate[]> => {
    if (!isJson && label !== '' && updates.length > 0) out.line(label.trim());
    if (!isJson) for (const update of updates) printUpdate(update, invocation);
    diffs = options.has('diff') ? new Map(updates.map((update) => [update.name, update.diff()])) : diffs;
    if (!isJson) for (const diff of diffs.values()) printDiff(diff, out);
    if (!isTaking || updates.length === 0) return [];
    const isWanted = options.has('yes') || (isAsking && (await askUpdate(updates, invocation)));
    isRefused = !isWanted;
    // A person who says yes has seen the findings; `--yes` has not.
    return isWanted ? updates.map((update) => ({ ...update, isAccepted: isAsking })) : [];
  };
  const useGitCredentials = options.has('useGitCredentials');
  const done = await installer.update(names, decide, { useGitCredentials, signal, allow });
  if (!done.ok) return done;
  if (isRefused) return fail('INSTALL_FAILED', `${label}nothing was updated`, CONSENT_HINT);
  const { current, pinned, held } = done;
  const failed = renderHints(done.failed, invocation).map((one) => ({ ...one, scope }));
  const taken = isTaking ? done.updated : done.updates;
  const listed = taken.map((update) => ({ ...toJson(update, diffs.get(update.name)), scope }));
  const report = { listed, current, pinned, held, failed };
  if (!isJson) printReport(report, `${label}${taken.length} ${isTaking ? 'updated' : 'could be updated'}`, invocation);
  return { ok: true, ...report };
}

function printReport(report: ScopeReport, first: string, { out, renderHint }: Invocation): void {
  const { current, pinned, held, failed } = report;
  for (const { name: stale, message, hint } of failed) {
    out.error({ text: `${stale}: `, style: 'red' }, message);
    if (hint !== undefined) out.error('  ', hint);
  }
  if (held.length > 0) {
    const those = held.length === 1 ? 'it' : 'them';
    out.line(renderHint(`Held: ${held.join(', ')}. \`unhold\` lets \`update\` update ${those} again.`));
  }
  const rest = [
    `${current.length} up to date`,
    pinned.length > 0 && `${pinned.length} held at a commit`,
    failed.length > 0 && `${failed.length} failed`,
  ];
  const isNothing = [report.listed, current, pinned, held, failed].every((list) => list.length === 0);
  out.line(isNothing ? 'Nothing is installed.' : `${[first, ...rest.filter((part) => part !== false)].join(', ')}.`);
}

function printUpdate(update: SkillUpdate, { out }: Invocation): void {
  const { name, before, after, isAdopted, changes, localChanges } = update;
  const { ref } = before.origin;
  const commits = `${showChoice(before.origin)} → ${showChoice(after.entry.origin)}`;
  out.line({ text: name, style: 'bold' }, `  ${commits}${ref === undefined ? '' : `  (${ref})`}`);
  if (isAdopted)
    out.line('    ', {
      text: 'not in the lock yet: the update adds it, and rollback restores what is here now',
      style: 'yellow',
    });
  printChanges(changes, out);
  printAdded(update, out);
  if (localChanges.length === 0) return;
  out.line('    ', { text: 'changed here since it was installed; rollback restores these changes:', style: 'yellow' });
  printChanges(localChanges, out);
}

/** The audit findings that the new version adds. Those for information only are no reason to hesitate. */
function printAdded({ addedFindings }: SkillUpdate, out: Output): void {
  const grave = addedFindings.filter(({ severity }) => severity !== 'info');
  if (grave.length === 0) return;
  out.line('    ', { text: `the audit finds ${grave.length} more than before:`, style: 'yellow' });
  printFirst(grave, {
    most: MAX_FINDINGS,
    each: (finding) => out.line('      ', fitToWidth(describeFinding(finding), out.columns - 6)),
    rest: (text) => out.line('      ', text),
  });
}

const MAX_FINDINGS = 20;

const ANSWERS = [
  { value: 'no', label: 'No' },
  { value: 'yes', label: 'Yes' },
  { value: 'diff', label: 'Show the differences' },
] as const;

async function askUpdate(updates: readonly SkillUpdate[], invocation: Invocation): Promise<boolean> {
  const questions = openQuestions(invocation);
  for (;;) {
    const answer = await questions.choose('Update?', ANSWERS);
    if (answer !== 'diff') return answer === 'yes';
    for (const { diff } of updates) printDiff(diff(), invocation.out);
  }
}

function toJson(update: SkillUpdate, diff: string | undefined): object {
  const { name, before, after, isAdopted, changes, localChanges, addedFindings, refused } = update;
  const [old, next] = [before.origin, after.entry.origin];
  const commits = { kind: next.kind, ref: old.ref, before: exactChoice(old), after: exactChoice(next) };
  return {
    name,
    ...commits,
    isAdopted,
    changes,
    localChanges,
    addedFindings,
    refused,
    ...(diff === undefined ? {} : { diff }),
  };
}
