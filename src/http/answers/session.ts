import { join } from 'node:path';

import { VERSION } from '../../index.ts';
import type { ReadAnswer } from '../console-context.ts';

export const describeSession: ReadAnswer<'session'> = async ({ skills, isReadOnly, changeToken }) => {
  const { cwd, home, agentHome } = skills.environment;
  const configFile = join(agentHome, 'config.yaml');
  return { ok: true, version: VERSION, cwd, home, configFile, isReadOnly, changeToken };
};
