import { resolvePinned } from '../../agent.ts';
import { CATALOG_FORMAT_NAMES, type CatalogFormatName, openSkills, type Skills } from '../../index.ts';
import { reportFailure, reportUsage, type ExitCode, type Invocation } from '../command.ts';
import { reportConfigTrouble } from '../diagnostics.ts';
import { printFile } from '../verbatim.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { values, cwd, isJson, out } = invocation;
  const option = (name: string): string | undefined => values.get(name)?.at(-1);
  const [format, budget, top] = [option('format') ?? 'xml', option('budget'), option('top')];
  if (!isFormat(format))
    return reportUsage(invocation, `--format is one of ${CATALOG_FORMAT_NAMES.join(', ')}, not "${format}"`);
  const wrong = Object.entries({ budget, top }).find(([, value]) => value !== undefined && !/^\d+$/.test(value));
  if (wrong !== undefined) return reportUsage(invocation, `--${wrong[0]} takes a whole number, not "${wrong[1]}"`);
  await using engine = await openSkills({ cwd });
  reportConfigTrouble(engine.catalog().diagnostics, out);
  const names = (option('preload') ?? '').split(',').flatMap((name) => name.trim() || []);
  const pinned = await resolvePinned(engine, names);
  if (!pinned.ok) return reportFailure(invocation, pinned);
  const shown =
    top === undefined
      ? await describePrompt(engine, {
          format,
          message: option('query'),
          budget: budget === undefined ? undefined : Number(budget),
          preloaded: pinned.skills,
        })
      : await describeSection(engine, Number(top));
  if (isJson) out.json(shown);
  else if (shown.text !== '') printFile(`${shown.text}\n`);
  return 0;
}

function isFormat(name: string): name is CatalogFormatName {
  return CATALOG_FORMAT_NAMES.some((known) => known === name);
}

/** The same keys always. */
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
