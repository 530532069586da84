import { displayWidth, fitToWidth } from '../../model/display-width.ts';
import { plural } from '../../model/plural.ts';
import { splitResults, type SkillSearchResult } from '../../select/registry.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { WrongUsage } from '../input/options.ts';
import { openEngine } from '../open-engine.ts';
import { reportFailure } from '../output/failure.ts';
import type { Output } from '../output/output.ts';
import { describeState } from '../output/skill-list.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, options, isJson, out, sayNext } = invocation;
  const query = args.join(' ');
  const remote = options.text('remote');
  if (remote !== undefined) return runRemote(remote, query, invocation);
  if (args.length === 0) throw new WrongUsage('search needs a query', 'To list every skill, use `skillplane show`.');
  const filters = { tags: options.all('tag'), domain: options.text('domain'), limit: options.count('limit') ?? 10 };
  const withParts = isJson && options.has('explain');
  await using engine = await openEngine(invocation);
  const results = await engine.search({ query, ...filters, withParts, onReading: reportReading(out) });
  const { partial, unusable } = results;
  if (unusable !== undefined) out.note(`${unusable.name} is ${unusable.status}: `, describeState(unusable, sayNext));
  if (isJson) out.json({ ok: true, query, results, partial, unusable });
  else print(results, invocation);
  for (const { reason } of partial ?? []) out.note(`Partial results: ${reason}.`);
  return 0;
}

async function runRemote(address: string, query: string, invocation: Invocation): Promise<ExitCode> {
  const { options, isJson, out, cwd, env } = invocation;
  // Lazy: searching your own skills needs no installer.
  const { searchRemote } = await import('../../engine/search-remote.ts');
  const limit = options.count('limit') ?? (query === '' ? Number.MAX_SAFE_INTEGER : 10);
  const found = await searchRemote(address, { cwd, env, query, limit });
  if (!found.ok) return reportFailure(invocation, found);
  const { from, total, results, diagnostics } = found;
  if (isJson) {
    out.json({ ok: true, query, from, total, results, diagnostics });
    return 0;
  }
  out.note(`${from}: ${plural(total, 'skill')}`);
  for (const { path, message } of diagnostics) out.note(path === '' ? message : `${path}: ${message}`);
  print(results, invocation);
  return 0;
}

/**
 * Prints the good results, then the others under a heading. Their order and the heading are the only scale: scores from
 * the table and from relevance do not compare.
 */
function print(results: readonly SkillSearchResult[], { options, out }: Invocation): void {
  const width = Math.min(WIDEST_NAME, Math.max(0, ...results.map(({ name }) => displayWidth(name))));
  const indent = ' '.repeat(width + 2);
  const printEach = (group: readonly SkillSearchResult[]): void => {
    for (const { name, description, reasons, nearDuplicates } of group) {
      const shown = fitToWidth(name, width);
      const gap = ' '.repeat(width - displayWidth(shown) + 2);
      const line = description.split('\n', 1)[0] ?? '';
      out.line({ text: shown, style: 'bold' }, gap, fitToWidth(line, Math.max(20, out.columns - indent.length)));
      const duplicates = nearDuplicates === undefined ? [] : [`near duplicates: ${nearDuplicates.join(', ')}`];
      const notes = options.has('explain') ? [reasons.slice(0, MOST_REASONS).join(', ')] : duplicates;
      for (const text of notes) out.line(indent, { text, style: 'dim' });
    }
  };
  const { strong, weak } = splitResults(results);
  printEach(strong);
  if (results.length === 0) out.note('No skill matches. Try other words, or list all skills with `skillplane show`.');
  if (weak.length === 0) return;
  if (strong.length > 0) out.line();
  out.line(strong.length === 0 ? 'No good match. Closest:' : 'Less likely:');
  printEach(weak);
}

const WIDEST_NAME = 32;
const MOST_REASONS = 3;

/** Explains the wait of the first search over many skills: once, and on a terminal how far it has come. */
function reportReading(out: Output): (left: number) => void {
  let total: number | undefined;
  return (left) => {
    if (total === undefined) out.note(`Indexing ${left} new skills…`);
    total ??= left;
    out.status(left === 0 ? '' : `${total - left} of ${total} read`);
  };
}
