import type { SkillUpdate, UpdateCheck } from '../../install.ts';
import { askText, canAsk } from '../ask.ts';
import { reportFailure, type ExitCode } from '../command.ts';
import { listenForInterrupt } from '../interrupt.ts';
import { openManaged, printChanges, shortCommit, type Managing } from '../managing.ts';
import type { Output, Style } from '../output.ts';

/** `update` takes newer versions; `outdated` only lists them. */
export async function updatePlugins(managing: Managing, isTaking: boolean): Promise<ExitCode> {
  const { name, flags, isJson, out } = managing;
  const names = name === undefined ? [] : [name];
  const isAsking = canAsk() && !isJson && !flags.has('yes');
  let isRefused = false;
  let diffs: ReadonlyMap<string, string> = new Map();
  out.status('Looking for newer versions');
  const isShowing = flags.has('diff');
  const decide = async ({ updates }: UpdateCheck): Promise<readonly SkillUpdate[]> => {
    if (!isJson) for (const update of updates) printUpdate(update, managing);
    diffs = isShowing ? new Map(updates.map((update) => [update.name, update.diff()])) : diffs;
    if (!isJson) for (const diff of diffs.values()) printDiff(diff, out);
    if (!isTaking || updates.length === 0) return [];
    const isWanted = flags.has('yes') || (isAsking && (await askUpdate(updates, managing)));
    isRefused = !isWanted;
    return isWanted ? updates : [];
  };
  using interrupt = listenForInterrupt();
  const done = await openManaged(managing).update(names, decide, {
    useGitCredentials: flags.has('useGitCredentials'),
    signal: interrupt.signal,
  });
  if (!done.ok) return reportFailure(managing, done);
  if (isRefused) return reportFailure(managing, { ok: false, code: 'INSTALL_FAILED', message: REFUSED });
  const { updates, updated, current, pinned, failed } = done;
  const code = failed.length === 0 ? 0 : 1;
  if (isJson) {
    const listed = (isTaking ? updated : updates).map((update) => toJson(update, diffs.get(update.name)));
    out.json({ ok: code === 0, [isTaking ? 'updated' : 'outdated']: listed, current, pinned, failed });
    return code;
  }
  for (const { name: unknown, message } of failed) out.note({ text: `${unknown}: `, style: 'red' }, message);
  const first = isTaking ? `${updated.length} updated` : `${updates.length} could be updated`;
  out.line(`${first}, ${current.length} up to date, ${pinned.length} held at a commit, ${failed.length} failed.`);
  return code;
}

const REFUSED = 'nothing was updated; say yes when asked, or --yes where nobody can be asked';

function printUpdate({ name, before, after, changes, localChanges }: SkillUpdate, { out }: Managing): void {
  const commits = `${shortCommit(before.commit)} → ${shortCommit(after.entry.commit)}`;
  out.line({ text: name, style: 'bold' }, `  ${commits}${before.ref === undefined ? '' : `  (${before.ref})`}`);
  printChanges(changes, out);
  if (localChanges.length === 0) return;
  out.line('    ', { text: 'changed here since it was installed; rollback returns to that:', style: 'yellow' });
  printChanges(localChanges, out);
}

async function askUpdate(updates: readonly SkillUpdate[], { out }: Managing): Promise<boolean> {
  for (;;) {
    const answer = await askText('Update? [y/N, d shows the differences]');
    if (!/^d(?:iff)?$/i.test(answer)) return /^y(?:es)?$/i.test(answer);
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

function toJson({ name, before, after, changes, localChanges }: SkillUpdate, diff: string | undefined): object {
  const commits = { ref: before.ref, before: before.commit, after: after.entry.commit };
  return { name, ...commits, changes, localChanges, ...(diff === undefined ? {} : { diff }) };
}
