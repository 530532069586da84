import { openSkills, type Skills } from '../index.ts';
import type { Invocation } from './command.ts';
import { reportConfigTrouble } from './output/diagnostics.ts';

/** Opens every skill the command can see, and reports a configuration that cannot be read. */
export async function openEngine({ cwd, env, out }: Pick<Invocation, 'cwd' | 'env' | 'out'>): Promise<Skills> {
  keepMemorySmall();
  const engine = await openSkills({ cwd, env });
  reportConfigTrouble(engine.catalog(), out);
  return engine;
}

/**
 * Keeps V8's space for new objects at its first size. Enlarging it takes 120 MB more for the first look at 20,000 skills, and
 * saves a command no time. Servers and programs that use the library decide for themselves.
 */
function keepMemorySmall(): void {
  process.getBuiltinModule('node:v8').setFlagsFromString('--semi-space-growth-factor=1');
}
