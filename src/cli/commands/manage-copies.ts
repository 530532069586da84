import { openSkills } from '../../index.ts';
import { listBundledCopies, upgradeBundledSkill, type BundledCopy } from '../../install.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import type { ExitCode } from '../command.ts';
import { canAsk, openQuestions } from '../input/ask.ts';
import { openManaged, type Managing } from '../managing.ts';
import { CONSENT_HINT, reportFailure } from '../output/failure.ts';
import { updatePlugins } from './manage-update.ts';

/** Updates copies of bundled skills that are behind, then plugins; or only lists them. */
export async function updateAll(managing: Managing, isTaking: boolean): Promise<ExitCode> {
  const { name, isJson, out } = managing;
  const known = await findCopies(managing);
  const done = await updateCopies(
    known.filter(({ isOutdated }) => isOutdated),
    managing,
    isTaking,
  );
  if (!done.ok) return reportFailure(managing, done);
  const { copies } = done;
  const isPlugin = name === undefined || known.length === 0 || (await openManaged(managing).find(name)).ok;
  if (isPlugin) return updatePlugins(managing, isTaking, copies);
  if (isJson) out.json({ ok: true, copies });
  else if (copies.length === 0) out.line(`${name} is up to date.`);
  return 0;
}

async function findCopies({ name, cwd, options }: Managing): Promise<readonly BundledCopy[]> {
  if (options.has('project')) return [];
  await using skills = await openSkills({ cwd });
  return listBundledCopies(skills.copies()).filter((copy) => name === undefined || copy.name === name);
}

interface CopyRow extends Pick<BundledCopy, 'name' | 'before' | 'after'> {
  readonly dir: string;
  /** Where the replaced instructions are kept. */
  readonly keptAs: string | undefined;
}

async function updateCopies(
  outdated: readonly BundledCopy[],
  { options, isJson, out }: Managing,
  isTaking: boolean,
): Promise<Outcome<{ readonly copies: readonly CopyRow[] }>> {
  if (!isJson)
    for (const { name, before, after } of outdated)
      out.line({ text: name, style: 'bold' }, `  ${before} → ${after}  (your copy of a bundled skill)`);
  if (!isTaking || outdated.length === 0) return { ok: true, copies: outdated.map((copy) => toRow(copy)) };
  const isWanted = options.has('yes') || (canAsk() && !isJson && (await openQuestions(out).confirm('Update?')));
  if (!isWanted) return fail('INSTALL_FAILED', 'nothing was updated', CONSENT_HINT);
  const copies: CopyRow[] = [];
  for (const copy of outdated) {
    const upgraded = upgradeBundledSkill(copy);
    if (!upgraded.ok) return upgraded;
    copies.push(toRow(copy, upgraded.keptAs));
    if (!isJson) out.line({ text: '✓ ', style: 'green' }, `${copy.name}  ${copy.to}`);
    if (!isJson && upgraded.keptAs !== undefined) out.line('    ', `your instructions are kept in ${upgraded.keptAs}`);
  }
  return { ok: true, copies };
}

function toRow({ name, before, after, to: dir }: BundledCopy, keptAs?: string): CopyRow {
  return { name, before, after, dir, keptAs };
}
