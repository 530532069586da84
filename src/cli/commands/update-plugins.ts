import { describeFinding } from '../../audit.ts';
import type { SkillUpdate, UpdateCheck } from '../../install.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { canAsk, openQuestions } from '../input/ask.ts';
import { listenForInterrupt } from '../input/interrupt.ts';
import { openManaged, printChanges, shortCommit } from '../managing.ts';
import { CONSENT_HINT, renderHints, reportFailure } from '../output/failure.ts';
import type { Output, Style } from '../output/output.ts';
import { printFirst } from '../output/print-first.ts';
import { fitToWidth } from '../output/width.ts';

/** Updates plugins, or only lists the outdated ones. The JSON also gives `copies`, which were updated before. */
export async function updatePlugins(
  invocation: Invocation,
  isTaking: boolean,
  copies: readonly object[],
): Promise<ExitCode> {
  const { args, options, isJson, out } = invocation;
  const isAsking = canAsk() && !isJson && !options.has('yes');
  let isRefused = false;
  let diffs: ReadonlyMap<string, string> = new Map();
  out.status('Looking for newer versions');
  const isShowing = options.has('diff');
  const decide = async ({ updates }: UpdateCheck): Promise<readonly SkillUpdate[]> => {
    if (!isJson) for (const update of updates) printUpdate(update, invocation);
    diffs = isShowing ? new Map(updates.map((update) => [update.name, update.diff()])) : diffs;
    if (!isJson) for (const diff of diffs.values()) printDiff(diff, out);
    if (!isTaking || updates.length === 0) return [];
    const isWanted = options.has('yes') || (isAsking && (await askUpdate(updates, invocation)));
    isRefused = !isWanted;
    return isWanted ? updates : [];
  };
  using interrupt = listenForInterrupt();
  const done = await openManaged(invocation).update(args, decide, {
    useGitCredentials: options.has('useGitCredentials'),
    signal: interrupt.signal,
  });
  if (!done.ok) return reportFailure(invocation, done);
  if (isRefused) return reportFailure(invocation, REFUSED);
  const { updates, updated, current, pinned, held } = done;
  const failed = renderHints(done.failed, invocation);
  const code = failed.length === 0 ? 0 : 1;
  if (isJson) {
    const listed = (isTaking ? updated : updates).map((update) => toJson(update, diffs.get(update.name)));
    out.json({ ok: code === 0, [isTaking ? 'updated' : 'outdated']: listed, current, pinned, held, failed, copies });
    return code;
  }
  for (const { name: stale, message, hint } of failed) {
    out.error({ text: `${stale}: `, style: 'red' }, message);
    if (hint !== undefined) out.error('  ', hint);
  }
  if (held.length > 0) {
    const those = held.length === 1 ? 'it' : 'them';
    out.line(invocation.renderHint(`Held: ${held.join(', ')}. \`unhold\` lets \`update\` update ${those} again.`));
  }
  const first = isTaking ? `${updated.length} updated` : `${updates.length} could be updated`;
  out.line(`${first}, ${current.length} up to date, ${pinned.length} held at a commit, ${failed.length} failed.`);
  return code;
}

const REFUSED = { code: 'INSTALL_FAILED', message: 'nothing was updated', hint: CONSENT_HINT };

function printUpdate(update: SkillUpdate, { out }: Invocation): void {
  const { name, before, after, isAdopted, changes, localChanges } = update;
  const commits = `${shortCommit(before.commit)} → ${shortCommit(after.entry.commit)}`;
  out.line({ text: name, style: 'bold' }, `  ${commits}${before.ref === undefined ? '' : `  (${before.ref})`}`);
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

async function askUpdate(updates: readonly SkillUpdate[], { out }: Invocation): Promise<boolean> {
  const questions = openQuestions(out);
  for (;;) {
    const answer = await questions.choose('Update?', ANSWERS);
    if (answer !== 'diff') return answer === 'yes';
    for (const { diff } of updates) printDiff(diff(), out);
  }
}

const STYLES: Readonly<Record<string, Style>> = { '+': 'green', '-': 'red', '@': 'cyan' };

function printDiff(diff: string, out: Output): void {
  for (const line of diff.split('\n').slice(0, -1)) {
    const style = STYLES[line.slice(0, 1)];
    out.line(style === undefined ? line : { text: line, style });
  }
}

function toJson(update: SkillUpdate, diff: string | undefined): object {
  const { name, before, after, isAdopted, changes, localChanges, addedFindings } = update;
  const commits = { ref: before.ref, before: before.commit, after: after.entry.commit };
  return { name, ...commits, isAdopted, changes, localChanges, addedFindings, ...(diff === undefined ? {} : { diff }) };
}
