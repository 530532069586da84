import { renderContextFiles } from '../disclose/formats/context-files.ts';
import { estimateTokens, type TokenCounter } from '../disclose/tokens.ts';
import type { ContextFile } from '../model/context-file.ts';
import type { Environment } from '../platform/environment.ts';
import { discoverContextFiles } from '../sources/context-files.ts';

export interface ContextSectionOptions {
  /** In tokens; 8,000 by default. */
  readonly budget?: number | undefined;
  /** By default, four characters are one token. */
  readonly countTokens?: TokenCounter | undefined;
}

export interface ContextSection {
  /** Empty without files. */
  readonly text: string;
  readonly tokens: number;
  /** The files in the text, closest first. */
  readonly files: readonly ContextFile[];
  /** Files for which the budget has no room. */
  readonly omitted: readonly ContextFile[];
}

const DEFAULT_BUDGET = 8_000;

/**
 * The AGENTS.md files of the working directory and above it, for a system prompt. If not all of them fit the budget, the
 * closest are kept.
 */
export function contextSection(
  { environment }: { readonly environment: Pick<Environment, 'cwd' | 'userId'> },
  { budget = DEFAULT_BUDGET, countTokens = estimateTokens }: ContextSectionOptions = {},
): ContextSection {
  const found = discoverContextFiles(environment.cwd, environment);
  for (let count = found.length; count > 0; count -= 1) {
    const files = found.slice(0, count);
    const text = renderContextFiles(files);
    const tokens = countTokens(text);
    if (tokens <= budget) return { text, tokens, files, omitted: found.slice(count) };
  }
  return { text: '', tokens: 0, files: [], omitted: found };
}
