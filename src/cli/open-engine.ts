import { openSkills, type Skills } from '../engine/open-skills.ts';
import type { Invocation } from './command.ts';
import { reportConfigTrouble } from './output/diagnostics.ts';

/** Opens every skill the command can see, and reports a configuration that cannot be read. */
export async function openEngine({ cwd, env, out }: Pick<Invocation, 'cwd' | 'env' | 'out'>): Promise<Skills> {
  const engine = await openSkills({ cwd, env });
  reportConfigTrouble(engine.catalog(), out);
  return engine;
}
