import { createInterface } from 'node:readline/promises';
import { setImmediate } from 'node:timers/promises';

import { createGateway, type Gateway } from '../../ctx/gateway.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { listenForInterrupt } from '../input/interrupt.ts';
import { openEngine } from '../open-engine.ts';

/**
 * Acts for the person at the terminal. The answer is always JSON. Exits 1 for a failure and 2 for an invalid statement.
 */
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
  if (!answer.ok && 'position' in answer && !isJson) out.error({ text: 'skillplane: ', style: 'red' }, answer.message);
  if (answer.ok) return 0;
  return answer.code === 'CTX_INVALID' ? 2 : 1;
}

/** Answers each line before it reads the next; skips blank lines. Exits 1 after a failure or an interrupt. */
async function answerLines(gateway: Gateway, { io, out }: Invocation): Promise<ExitCode> {
  using interrupt = listenForInterrupt(io);
  const { signal } = interrupt;
  let isAllOk = true;
  for await (const line of createInterface({ input: io.stdin, crlfDelay: Infinity, signal })) {
    if (signal.aborted) break;
    if (line.trim() === '') continue;
    const answer = await gateway.handle(line, { signal });
    out.jsonLine(answer);
    isAllOk &&= answer.ok;
    // Lets the interrupt and the error of a closed pipe arrive.
    await setImmediate();
    if (out.isClosed()) break;
  }
  io.stdin.destroy();
  return isAllOk && !signal.aborted ? 0 : 1;
}
