import { harmlessBlock } from '../disclose/harmless.ts';

/** One tool call of a turn, as the host recorded it. */
export interface TurnToolCall {
  readonly name: string;
  readonly args?: unknown;
  /** The result of the tool, or its error. */
  readonly output?: unknown;
  readonly isError?: boolean | undefined;
}

/** A user's request, the tool calls that followed, and the agent's answer. */
export interface Turn {
  readonly request: string;
  readonly toolCalls: readonly TurnToolCall[];
  readonly answer?: string | undefined;
}

const MAX_TEXT = 2_000;
const MAX_VALUE = 400;
/** In a long turn, the first calls show what was tried, and the last ones what worked. */
const FIRST_CALLS = 10;
const LAST_CALLS = 30;

/**
 * Renders a turn as lines of JSON: one each for the request, every call and the answer. Long texts are cut, and no text
 * can imitate a line of the record.
 */
export function renderTurn({ request, toolCalls, answer }: Turn): string {
  const calls = toolCalls.map(({ name, args, output, isError = false }, index) =>
    toLine({
      call: index + 1,
      tool: cut(name, MAX_VALUE),
      args: cut(toText(args), MAX_VALUE),
      [isError ? 'error' : 'result']: cut(toText(output), MAX_VALUE),
    }),
  );
  const omitted = calls.length - FIRST_CALLS - LAST_CALLS;
  const shown =
    omitted > 0
      ? [...calls.slice(0, FIRST_CALLS), toLine({ omittedCalls: omitted }), ...calls.slice(-LAST_CALLS)]
      : calls;
  return [
    toLine({ request: cut(request, MAX_TEXT) }),
    ...shown,
    ...(answer === undefined ? [] : [toLine({ answer: cut(answer, MAX_TEXT) })]),
  ].join('\n');
}

function toLine(entry: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(entry);
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined) return '';
  try {
    return JSON.stringify(value) ?? '';
  } catch (error) {
    // Circular data, or a BigInt.
    if (error instanceof TypeError) return '(not representable as JSON)';
    throw error;
  }
}

/** Keeps the beginning and the end: errors are often at the end. */
function cut(text: string, max: number): string {
  const seen = harmlessBlock(text.length > 4 * max ? `${text.slice(0, 2 * max)}${text.slice(-2 * max)}` : text);
  if (text.length <= max) return seen;
  const part = Math.floor(max / 2);
  return `${seen.slice(0, part)} … ${seen.slice(-part)} (${text.length} characters)`;
}
