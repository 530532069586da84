import { setImmediate } from 'node:timers/promises';

import { createGateway, type Gateway, MAX_STATEMENT_BYTES, normalizeStatement } from '../../ctx.ts';
import { openSkills } from '../../index.ts';
import { fail, type Failure } from '../../model/outcome.ts';
import { pointAt } from '../caret.ts';
import { reportUsage, type ExitCode, type Invocation } from '../command.ts';
import { reportConfigTrouble } from '../diagnostics.ts';
import { listenForInterrupt } from '../interrupt.ts';
import { readLines } from '../lines.ts';

/** The answer is JSON in any case; exit 0 for `ok`, 1 for a failure, 2 for what is no statement. */
export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, cwd, out } = invocation;
  const [text = ''] = args;
  if (args.length !== 1) return reportUsage(invocation, `a statement is one argument: skillplane ctx '?s "deploy"'`);
  await using engine = await openSkills({ cwd });
  reportConfigTrouble(engine.catalog().diagnostics, out);
  const gateway = createGateway(engine);
  return text === '-' ? answerLines(gateway, invocation) : answerOne(gateway, text, invocation);
}

async function answerOne(gateway: Gateway, text: string, { isJson, out }: Invocation): Promise<ExitCode> {
  using interrupt = listenForInterrupt();
  const answer = await gateway.handle(text, { signal: interrupt.signal });
  out.json(answer);
  if (!answer.ok && 'position' in answer && !isJson) {
    const { line, indent } = pointAt(normalizeStatement(text), answer.position ?? 0, out.columns - MARGIN.length);
    out.note({ text: 'skillplane: ', style: 'red' }, answer.message);
    out.note(MARGIN, line);
    out.note(MARGIN, ' '.repeat(indent), { text: '^', style: 'red' });
  }
  if (answer.ok) return 0;
  return answer.code === 'CTX_INVALID' ? 2 : 1;
}

const MARGIN = '  ';
/** Longer than any statement, blanks around it included; the rest of such a line is not kept. */
const MAX_LINE_BYTES = 4 * MAX_STATEMENT_BYTES;

/**
 * Each line is answered before the next one is looked at; blank ones are not. Exit 1 where any answer is a failure, or
 * somebody interrupts.
 */
async function answerLines(gateway: Gateway, { out }: Invocation): Promise<ExitCode> {
  using interrupt = listenForInterrupt();
  const { signal } = interrupt;
  let isAllOk = true;
  for await (const line of readLines(process.stdin, { maxBytes: MAX_LINE_BYTES, signal })) {
    if (line.ok && line.text.trim() === '') continue;
    const answer = line.ok ? await gateway.handle(line.text, { signal }) : refuseLine(line.problem);
    out.jsonLine(answer);
    isAllOk &&= answer.ok;
    // Only now do we hear of an interrupt, or that nobody reads any more.
    await setImmediate();
    if (out.isClosed()) break;
  }
  process.stdin.destroy();
  return isAllOk && !signal.aborted ? 0 : 1;
}

function refuseLine(problem: string): Failure {
  return fail('CTX_INVALID', `${problem}; a statement is one line of UTF-8, 2 to ${MAX_STATEMENT_BYTES} bytes`);
}
