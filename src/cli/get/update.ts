import { findBundledCopies, upgradeBundledSkill, type BundledCopy } from '../../catalog/upgrade.ts';
import { assignNames } from '../../install/scopes.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { isConsented } from '../managing.ts';
import { CONSENT, reportFailure } from '../output/failure.ts';
import { openGivenScopes } from '../scopes.ts';
import { updatePlugins } from './update-plugins.ts';

/** Copies of bundled skills that are behind, then installed skills. */
export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, options, isJson, out } = invocation;
  const isTaking = !options.has('dryRun');
  const known = await findCopies(invocation);
  const done = await updateCopies(
    known.filter(({ isOutdated }) => isOutdated),
    invocation,
    isTaking,
  );
  if (!done.ok) return reportFailure(invocation, done);
  const { copies } = done;
  const opened = await openGivenScopes(invocation);
  if (!opened.ok) return reportFailure(invocation, opened);
  const isPlugin = (name: string): boolean => opened.scopes.some(({ names }) => names.includes(name));
  const plugins = args.filter((name) => known.every((copy) => copy.name !== name) || isPlugin(name));
  const areCopiesMeant = args.length > 0 && plugins.length === 0;
  const assigned = assignNames(areCopiesMeant ? [] : opened.scopes, plugins);
  if (!assigned.ok) return reportFailure(invocation, assigned);
  if (areCopiesMeant && copies.length === 0 && !isJson) for (const name of args) out.line(`${name} is up to date.`);
  return updatePlugins(invocation, assigned.scopes, { isTaking, copies });
}

async function findCopies({ args, cwd, env, options }: Invocation): Promise<readonly BundledCopy[]> {
  if (options.has('project')) return [];
  const copies = await findBundledCopies({ cwd, env });
  return copies.filter(({ name }) => args.length === 0 || args.includes(name));
}

interface CopyRow extends Pick<BundledCopy, 'name' | 'before' | 'after'> {
  readonly dir: string;
  /** Where the replaced instructions are kept. */
  readonly keptAs: string | undefined;
}

async function updateCopies(
  outdated: readonly BundledCopy[],
  invocation: Invocation,
  isTaking: boolean,
): Promise<Outcome<{ readonly copies: readonly CopyRow[] }>> {
  const { isJson, out } = invocation;
  if (!isJson)
    for (const { name, before, after } of outdated)
      out.line({ text: name, style: 'bold' }, `  ${before} → ${after}  (your copy of a bundled skill)`);
  if (!isTaking || outdated.length === 0) return { ok: true, copies: outdated.map((copy) => toRow(copy)) };
  if (!(await isConsented(invocation, 'Update?'))) return fail('INSTALL_FAILED', 'nothing was updated', CONSENT);
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
