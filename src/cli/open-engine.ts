import { openSkills, type Skills } from '../index.ts';
import type { Invocation } from './command.ts';
import { reportConfigTrouble } from './output/diagnostics.ts';

/** Opens every skill the command can see, and reports a configuration that cannot be read. */
export async function openEngine({ cwd, out }: Pick<Invocation, 'cwd' | 'out'>): Promise<Skills> {
  const engine = await openSkills({ cwd });
  reportConfigTrouble(engine.catalog().diagnostics, out);
  return engine;
}
