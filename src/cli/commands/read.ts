import { openSkills } from '../../index.ts';
import { reportFailure, type ExitCode, type Invocation } from '../command.ts';
import { reportConfigTrouble } from '../diagnostics.ts';
import { isOnTerminal, printFile } from '../verbatim.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, cwd, isJson, out } = invocation;
  const engine = await openSkills({ cwd });
  const read = engine.loader.readUrl(args[0] ?? '');
  reportConfigTrouble(engine.catalog().diagnostics, out);
  await engine[Symbol.asyncDispose]();
  if (!read.ok) return reportFailure(invocation, read);
  const { ok: _, ...content } = read;
  if (isJson) out.json(content);
  else if (content.text !== undefined) printFile(content.text);
  else if (!isOnTerminal()) printFile(Buffer.from(content.base64, 'base64'));
  else {
    const message = `this is ${content.contentType}, ${content.size} bytes, and no text; send it to a file with > or add --json`;
    return reportFailure(invocation, { ok: false, code: 'NOT_TEXT', message });
  }
  return 0;
}
