import { fitToWidth } from '../../model/display-width.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { openEngine } from '../open-engine.ts';
import { reportFailure } from '../output/failure.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, isJson, out } = invocation;
  const [only] = args;
  await using engine = await openEngine(invocation);
  const listed = await engine.toolsets.list(only);
  if (!listed.ok) return reportFailure(invocation, listed);
  const { tools, failures } = listed;
  if (isJson) {
    const shown = tools.map(({ name, skill, description, schema }) => ({ name, skill, description, schema: schema() }));
    out.json({ ok: true, tools: shown, failures });
    return 0;
  }
  for (const { name, skill, description } of tools) {
    out.line({ text: name, style: 'bold' }, { text: `  ${skill ?? ''}`, style: 'dim' });
    out.line('      ', fitToWidth(description.split('\n', 1)[0] ?? '', out.columns - 6));
  }
  if (tools.length === 0) out.note(only === undefined ? 'No trusted skill brings tools.' : `${only} brings no tools.`);
  for (const { message } of failures) out.note({ text: 'warning: ', style: 'yellow' }, message);
  return 0;
}
