import { openSkills } from '../../index.ts';
import { reportFailure, reportUsage, type ExitCode, type Invocation } from '../command.ts';
import { reportConfigTrouble } from '../diagnostics.ts';
import { printFile } from '../verbatim.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, values, cwd, isJson, out } = invocation;
  const [name = '', tool = ''] = args;
  const given = parseArguments(values.get('args')?.at(-1) ?? '{}');
  if (given === undefined) return reportUsage(invocation, '--args takes a JSON object, such as {"name": "Ann"}');
  await using engine = await openSkills({ cwd });
  reportConfigTrouble(engine.catalog().diagnostics, out);
  const result = await engine.toolsets.call(name, tool, { args: given.value });
  if (!result.ok) return reportFailure(invocation, result);
  if (isJson) out.json(result);
  else printFile(result.output.endsWith('\n') ? result.output : `${result.output}\n`);
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
