import { resolvePinned } from '../../agent/pinned.ts';
import { contextSection } from '../../engine/context-section.ts';
import { CATALOG_FORMAT_NAMES } from '../../model/catalog-format.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { WrongUsage } from '../input/options.ts';
import { openEngine } from '../open-engine.ts';
import { reportFailure } from '../output/failure.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, options, isJson, out } = invocation;
  if (options.has('message')) return (await import('./match.ts')).run(invocation);
  if (args.length > 0) return (await import('../make/to-prompt.ts')).run(invocation);
  const format = options.oneOf('format', CATALOG_FORMAT_NAMES) ?? 'xml';
  const [budget, top] = [options.count('budget'), options.count('top')];
  if (format === 'json' && options.has('contextFiles'))
    throw new WrongUsage('--context-files cannot be combined with --format json');
  const names = (options.text('preload') ?? '').split(',').flatMap((name) => name.trim() || []);
  await using engine = await openEngine(invocation);
  const pinned = await resolvePinned(engine, names);
  if (!pinned.ok) return reportFailure(invocation, pinned);
  const message = options.text('query');
  const context = options.has('contextFiles') ? contextSection(engine) : undefined;
  const shown =
    top === undefined
      ? await engine.disclosure.prompt({ format, message, budget, preloaded: pinned.skills })
      : await engine.disclosure.promptSection(top);
  const text = [context?.text, shown.text].filter(Boolean).join('\n\n');
  const contextFiles = (context?.files ?? []).map(({ path, level, depth }) => ({ path, level, depth }));
  if (isJson) out.json({ ok: true, ...shown, text, tokens: shown.tokens + (context?.tokens ?? 0), contextFiles });
  else if (text !== '') out.file(`${text}\n`);
  for (const { path } of context?.omitted ?? []) out.note(`Left out ${path}: it exceeds the budget.`);
  return 0;
}
