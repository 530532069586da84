import { describeFinding } from '../../audit/summary.ts';
import type { SkillUpdate, UpdateCheck } from '../../install/check-updates.ts';
import type { ManagedScope } from '../../install/scopes.ts';
import type { ChosenUpdate } from '../../install/update-skills.ts';
import { fitToWidth } from '../../model/display-width.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { plural } from '../../model/plural.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { give } from '../giving.ts';
import { canAsk, openQuestions } from '../input/ask.ts';
import { listenForInterrupt } from '../input/interrupt.ts';
import { printChanges, readAllowed, showChoice } from '../managing.ts';
import { CONSENT, reportFailure } from '../output/failure.ts';
import type { Output } from '../output/output.ts';
import { printDiff } from '../output/print-diff.ts';
import { printFirst } from '../output/print-first.ts';
import { scopeLabel } from '../scopes.ts';

export interface UpdateMode {
  /** Update, or only list the available updates? */
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
  const { isJson, out } = invocation;
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
    out.json({
      ok: code === 0,
      ...(isTaking ? {} : { dryRun: true }),
      updated: merge('listed'),
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
  const { options, isJson, out } = invocation;
  const allow = readAllowed(options);
  const isAsking = isTaking && canAsk(invocation) && !isJson && !options.has('yes');
  let isRefused = false;
  let diffs: ReadonlyMap<string, string> = new Map();
  out.status('Checking for updates');
  const decide = async ({ updates }: UpdateCheck): Promise<readonly ChosenUpdate[]> => {
    if (!isJson && label !== '' && updates.length > 0) out.line(label.trim());
    if (!isJson) for (const update of updates) printUpdate(update, invocation);
    diffs = options.has('diff') ? new Map(updates.map((update) => [update.name, update.diff()])) : diffs;
    if (!isJson) for (const diff of diffs.values()) printDiff(diff, out);
    if (!isTaking || updates.length === 0) return [];
    const isWanted = options.has('yes') || (isAsking && (await askUpdate(updates, invocation)));
    isRefused = !isWanted;
    // An interactive yes accepts the findings that were shown; `--yes` does not.
    return isWanted ? updates.map((update) => ({ ...update, isAccepted: isAsking })) : [];
  };
  const useGitCredentials = options.has('useGitCredentials');
  const done = await installer.update(names, decide, { useGitCredentials, signal, allow });
  if (!done.ok) return done;
  if (isRefused && !isAsking) return fail('INSTALL_FAILED', `${label}nothing was updated`, CONSENT);
  // Update the agents' copies, and remove skills that the audit blocks now.
  const given = await give(
    invocation,
    done.updated.map(({ name }) => name),
    { project: scope === 'project' },
  );
  if (!given.ok) return given;
  const { current, pinned, held } = done;
  const failed = done.failed.map((one) => ({ ...one, scope }));
  const taken = isTaking ? done.updated : done.updates;
  const listed = taken.map((update) => ({
    ...update,
    after: update.after.entry,
    diff: diffs.get(update.name),
    scope,
  }));
  const report = { listed, current, pinned, held, failed };
  if (isRefused) out.line(`${label}Nothing updated.`);
  else if (!isJson)
    printReport(
      report,
      `${label}${isTaking ? `${taken.length} updated` : plural(taken.length, 'update available', 'updates available')}`,
      invocation,
    );
  return { ok: true, ...report };
}

function printReport(report: ScopeReport, first: string, { out, sayNext }: Invocation): void {
  const { current, pinned, held, failed } = report;
  for (const { name: stale, message, next } of failed) {
    out.error({ text: `${stale}: `, style: 'red' }, message);
    if (next !== undefined) out.error('  ', sayNext(next));
  }
  if (held.length > 0) {
    out.line(`On hold: ${held.join(', ')}. Resume updates with \`skillplane manage unhold\`.`);
  }
  const rest = [
    `${current.length} up to date`,
    pinned.length > 0 && `${pinned.length} at a fixed commit`,
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
      text: 'not in the lock file yet: the update adds it, and `manage rollback` restores what is here now',
      style: 'yellow',
    });
  printChanges(changes, out);
  printAdded(update, out);
  if (localChanges.length === 0) return;
  out.line('    ', {
    text: 'You changed these files. Updating replaces them; `manage rollback` restores them:',
    style: 'yellow',
  });
  printChanges(localChanges, out);
}

/** The audit findings that the new version adds. Those for information only are no reason to hesitate. */
function printAdded({ addedFindings }: SkillUpdate, out: Output): void {
  const grave = addedFindings.filter(({ severity }) => severity !== 'info');
  if (grave.length === 0) return;
  out.line('    ', {
    text: `${grave.length} new audit ${grave.length === 1 ? 'finding' : 'findings'}:`,
    style: 'yellow',
  });
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
  { value: 'diff', label: 'Show diff' },
] as const;

async function askUpdate(updates: readonly SkillUpdate[], invocation: Invocation): Promise<boolean> {
  const questions = openQuestions(invocation);
  for (;;) {
    const answer = await questions.choose('Update?', ANSWERS);
    if (answer !== 'diff') return answer === 'yes';
    for (const { diff } of updates) printDiff(diff(), invocation.out);
  }
}
