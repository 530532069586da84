import type { ExitCode, Invocation } from '../command.ts';
import { openEngine } from '../open-engine.ts';
import { reportFailure } from '../output/failure.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, options, isJson, out } = invocation;
  const [name = '', tool = ''] = args;
  const given = options.parsed('args', parseArguments, 'a JSON object such as {"name": "Ann"}');
  await using engine = await openEngine(invocation);
  const result = await engine.toolsets.call(name, tool, { args: given === undefined ? {} : given.value });
  if (!result.ok) return reportFailure(invocation, result);
  if (isJson) out.json(result);
  else out.file(result.output.endsWith('\n') ? result.output : `${result.output}\n`);
  return 0;
}

function parseArguments(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
