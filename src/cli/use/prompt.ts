import { resolvePinned } from '../../agent.ts';
import { CATALOG_FORMAT_NAMES, contextSection, type Skills } from '../../index.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { WrongUsage } from '../input/options.ts';
import { openEngine } from '../open-engine.ts';
import { reportFailure } from '../output/failure.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { options, isJson, out } = invocation;
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
      ? await describePrompt(engine, { format, message, budget, preloaded: pinned.skills })
      : await describeSection(engine, top);
  const text = [context?.text ?? '', shown.text].filter((part) => part !== '').join('\n\n');
  const contextFiles = (context?.files ?? []).map(({ path, level, depth }) => ({ path, level, depth }));
  if (isJson) out.json({ ...shown, text, tokens: shown.tokens + (context?.tokens ?? 0), contextFiles });
  else if (text !== '') out.file(`${text}\n`);
  for (const { path } of context?.omitted ?? []) out.note(`${path} is left out: it does not fit the budget.`);
  return 0;
}

/** Always has the same keys. */
interface ShownPrompt {
  readonly tier: string;
  readonly format: string;
  readonly text: string;
  readonly tokens: number;
  readonly budget: number | null;
  readonly shown: readonly string[];
  readonly shortened: readonly string[];
  readonly omitted: readonly string[];
}

type PromptOptions = NonNullable<Parameters<Skills['disclosure']['prompt']>[0]>;

async function describePrompt(engine: Skills, options: PromptOptions): Promise<ShownPrompt> {
  const { text, tokens, catalog } = await engine.disclosure.prompt(options);
  const preloaded = (options.preloaded ?? []).map(({ name }) => name);
  const { tier = 'instructions', format = 'xml', budget = null } = catalog ?? {};
  const { shown = preloaded, shortened = [], omitted = [] } = catalog ?? {};
  return { tier, format, text, tokens, budget, shown, shortened, omitted };
}

async function describeSection(engine: Skills, top: number): Promise<ShownPrompt> {
  const { text, tokens, shown, omitted } = await engine.disclosure.promptSection(top);
  const tier = text === null ? 'none' : 'catalog';
  return { tier, format: 'index', text: text ?? '', tokens, budget: null, shown, shortened: [], omitted };
}
