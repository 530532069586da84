import { fitToWidth } from '../../model/display-width.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { openEngine } from '../open-engine.ts';
import { reportFailure } from '../output/failure.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { isJson, out } = invocation;
  await using engine = await openEngine(invocation);
  const listed = await engine.toolsets.list();
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
  if (tools.length === 0) out.note('No trusted skill has tools.');
  for (const { message } of failures) out.note({ text: 'warning: ', style: 'yellow' }, message);
  return 0;
}
