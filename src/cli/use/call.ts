import { parseJson } from '../../model/json.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { openEngine } from '../open-engine.ts';
import { reportFailure } from '../output/failure.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, options, isJson, out } = invocation;
  const [name = '', tool = ''] = args;
  const given = options.parsed('args', parseJson, 'a JSON object such as {"name": "Ann"}');
  await using engine = await openEngine(invocation);
  const result = await engine.toolsets.call(name, tool, { args: given ?? {} });
  if (!result.ok) return reportFailure(invocation, result);
  if (isJson) out.json(result);
  else out.file(result.output.endsWith('\n') ? result.output : `${result.output}\n`);
  return 0;
}
