import type { TextRegion } from '../reading/text-regions.ts';
import { followValues, type FoundFlow, type StatementBudget } from './follow-values.ts';
import type { FlowLanguage } from './statements.ts';

/** A part of a text that runs, or that a model may run. */
interface CodePart {
  readonly start: number;
  readonly text: string;
  readonly language: FlowLanguage;
}

/** Follows values through the code of a text: scripts, code blocks, and commands in prose. Offsets are those of the text. */
export function findFlows(
  text: string,
  regions: readonly TextRegion[],
  interpreter: string | undefined,
  budget: StatementBudget,
): readonly FoundFlow[] {
  return regions.flatMap(({ start, context, language }, at) => {
    const part = text.slice(start, regions[at + 1]?.start);
    if (context === 'frontmatter') return [];
    const parts = context === 'prose' ? findCommands(part) : [{ start: 0, text: part }];
    const told = context === 'fence' ? language : interpreter;
    return parts.flatMap((one) =>
      followPart({ ...one, start: start + one.start, language: findLanguage(told, one.text) }, budget),
    );
  });
}

function followPart({ start, text, language }: CodePart, budget: StatementBudget): readonly FoundFlow[] {
  return followValues(text, language, budget).map(({ from, to, ...flow }) => ({
    ...flow,
    from: { ...from, start: start + from.start },
    to: { ...to, start: start + to.start, sink: start + to.sink },
  }));
}

/** Commands between backticks, and lines that begin with a command. */
const COMMAND =
  /`([^`\n]{12,600})`|(?:^|\n)(?:\$ )?((?:curl|wget|bash|sh|cat|tar|zip|scp|nc|echo|for|find|python3?|node|export|sudo|git|rsync)\s[^\n]{8,600})/g;

function findCommands(prose: string): readonly Pick<CodePart, 'start' | 'text'>[] {
  return [...prose.matchAll(COMMAND)].map(({ index, 0: all, 1: quoted, 2: line }) => {
    const text = quoted ?? line ?? '';
    return { start: index + all.indexOf(text), text };
  });
}

/** By the name of a language or of a program that runs it, else by the text. */
function findLanguage(told: string | undefined, text: string): FlowLanguage {
  const name = told ?? '';
  if (/^py|^python|^uv$/.test(name)) return 'python';
  if (/^(?:js|mjs|cjs|ts|tsx|jsx|javascript|typescript|node|deno|bun)/.test(name)) return 'javascript';
  if (name !== '') return 'shell';
  const head = text.slice(0, 4_000);
  if (/(?:^|\n)(?:import \w|from \w[\w.]* import |def \w+\()/.test(head)) return 'python';
  return /(?:^|\n)(?:const|let|var|import) [\w{*]|=> ?\{|\brequire\(/.test(head) ? 'javascript' : 'shell';
}
