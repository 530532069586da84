import { openSkills } from '../../index.ts';
import { reportFailure, type ExitCode, type Invocation } from '../command.ts';
import { reportConfigTrouble } from '../diagnostics.ts';
import { printFile } from '../verbatim.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, flags, cwd, isJson, out } = invocation;
  const engine = await openSkills({ cwd });
  const loaded = await engine.loader.load(args[0] ?? '');
  reportConfigTrouble(engine.catalog().diagnostics, out);
  await engine[Symbol.asyncDispose]();
  if (!loaded.ok) return reportFailure(invocation, loaded);
  const { stamp: _, ...skill } = loaded.skill;
  if (isJson) out.json({ ...loaded, skill });
  else printFile(flags.has('body') ? `${loaded.body}\n` : loaded.raw);
  return 0;
}
