import { openSkills } from '../../index.ts';
import { reportFailure, type ExitCode, type Invocation } from '../command.ts';
import { reportConfigTrouble } from '../diagnostics.ts';

/** How many files that are left out are named one by one. */
const MOST_NOTES = 20;

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, cwd, isJson, out } = invocation;
  const engine = await openSkills({ cwd });
  const listed = engine.loader.resources(args[0] ?? '');
  reportConfigTrouble(engine.catalog().diagnostics, out);
  await engine[Symbol.asyncDispose]();
  if (!listed.ok) return reportFailure(invocation, listed);
  const { resources, leftOut } = listed;
  if (isJson) {
    out.json({ ok: true, resources, leftOut });
    return 0;
  }
  const width = Math.max(0, ...resources.map(({ size }) => String(size).length));
  for (const { path, size, kind } of resources)
    out.line({ text: String(size).padStart(width), style: 'dim' }, `  ${kind.padEnd(9)}  ${path}`);
  if (resources.length === 0) out.note('The skill has no files but its SKILL.md.');
  for (const { path, reason } of leftOut.slice(0, MOST_NOTES)) out.note(`${path || 'the folder'} ${reason}`);
  if (leftOut.length > MOST_NOTES) out.note(`and ${leftOut.length - MOST_NOTES} more: --json lists them all`);
  return 0;
}
