import { toPrompt } from '../../author/read-skill.ts';
import { resolvePaths, type ExitCode, type Invocation } from '../command.ts';
import { encodeText } from '../output/encode.ts';
import { reportFailure } from '../output/failure.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const rendered = toPrompt(resolvePaths(invocation));
  if (!rendered.ok) return reportFailure(invocation, rendered);
  if (invocation.isJson) invocation.out.json({ ok: true, prompt: rendered.text });
  else invocation.out.raw(rendered.text.split('\n').map(encodeText).join('\n'));
  return 0;
}
