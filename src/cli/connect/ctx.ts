import { setImmediate } from 'node:timers/promises';

import { createGateway, type Gateway, MAX_STATEMENT_BYTES, normalizeStatement } from '../../ctx.ts';
import { fail, type Failure } from '../../model/outcome.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { listenForInterrupt } from '../input/interrupt.ts';
import { readLines } from '../input/lines.ts';
import { openEngine } from '../open-engine.ts';
import { pointAt } from '../output/caret.ts';

/** Acts for the person at the terminal. Always answers with JSON. Exits 1 for a failure and 2 for text that is no statement. */
export async function run(invocation: Invocation): Promise<ExitCode> {
  const [text = ''] = invocation.args;
  await using engine = await openEngine(invocation);
  const gateway = createGateway(engine, { write: 'user', run: true });
  return await (text === '-' ? answerLines(gateway, invocation) : answerOne(gateway, text, invocation));
}

async function answerOne(gateway: Gateway, text: string, { io, isJson, out }: Invocation): Promise<ExitCode> {
  using interrupt = listenForInterrupt(io);
  const answer = await gateway.handle(text, { signal: interrupt.signal });
  out.json(answer);
  if (!answer.ok && 'position' in answer && !isJson) {
    const { line, indent } = pointAt(normalizeStatement(text), answer.position ?? 0, out.columns - MARGIN.length);
    out.error({ text: 'skillplane: ', style: 'red' }, answer.message);
    out.error(MARGIN, line);
    out.error(MARGIN, ' '.repeat(indent), { text: '^', style: 'red' });
  }
  if (answer.ok) return 0;
  return answer.code === 'CTX_INVALID' ? 2 : 1;
}

const MARGIN = '  ';
/** Leaves room for blanks around the longest statement. The rest of a longer line is discarded. */
const MAX_LINE_BYTES = 4 * MAX_STATEMENT_BYTES;

/** Answers each line before it reads the next; skips blank lines. Exits 1 after a failure or an interrupt. */
async function answerLines(gateway: Gateway, { io, out }: Invocation): Promise<ExitCode> {
  using interrupt = listenForInterrupt(io);
  const { signal } = interrupt;
  let isAllOk = true;
  for await (const line of readLines(io.stdin, { maxBytes: MAX_LINE_BYTES, signal })) {
    if (line.ok && line.text.trim() === '') continue;
    const answer = line.ok ? await gateway.handle(line.text, { signal }) : refuseLine(line.problem);
    out.jsonLine(answer);
    isAllOk &&= answer.ok;
    // Lets the interrupt and the error of a closed pipe arrive.
    await setImmediate();
    if (out.isClosed()) break;
  }
  io.stdin.destroy();
  return isAllOk && !signal.aborted ? 0 : 1;
}

function refuseLine(problem: string): Failure {
  return fail('CTX_INVALID', `${problem}; a statement is one line of UTF-8, 2 to ${MAX_STATEMENT_BYTES} bytes`);
}
