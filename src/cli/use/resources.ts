import type { ExitCode, Invocation } from '../command.ts';
import { openEngine } from '../open-engine.ts';
import { reportFailure } from '../output/failure.ts';
import { printFirst } from '../output/print-first.ts';

const MOST_NOTES = 20;

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, isJson, out } = invocation;
  await using engine = await openEngine(invocation);
  const listed = engine.loader.resources(args[0] ?? '');
  if (!listed.ok) return reportFailure(invocation, listed);
  const { resources, leftOut } = listed;
  if (isJson) {
    out.json({ ok: true, resources, leftOut });
    return 0;
  }
  const width = Math.max(0, ...resources.map(({ size }) => String(size).length));
  for (const { path, size, kind } of resources)
    out.line({ text: String(size).padStart(width), style: 'dim' }, `  ${kind.padEnd(9)}  ${path}`);
  if (resources.length === 0) out.note('The skill has no files besides its SKILL.md.');
  printFirst(leftOut, {
    most: MOST_NOTES,
    each: ({ path, reason }) => out.note(`${path || 'the folder'} ${reason}`),
    rest: (text) => out.note(text),
  });
  return 0;
}
