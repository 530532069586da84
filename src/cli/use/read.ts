import type { ExitCode, Invocation } from '../command.ts';
import { openEngine } from '../open-engine.ts';
import { reportFailure } from '../output/failure.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, isJson, out } = invocation;
  await using engine = await openEngine(invocation);
  const read = engine.loader.readUrl(args[0] ?? '');
  if (!read.ok) return reportFailure(invocation, read);
  const { ok: _, ...content } = read;
  if (isJson) out.json(content);
  else if (content.text !== undefined) out.file(content.text);
  else if (!out.isTerminal) out.verbatim(Buffer.from(content.base64, 'base64'));
  else {
    const message = `the file is not text but ${content.contentType}, ${content.size} bytes`;
    return reportFailure(invocation, {
      code: 'NOT_TEXT',
      message,
      next: { advice: 'Send it to a file with >, or add --json.' },
    });
  }
  return 0;
}
