import { join } from 'node:path';

import { VERSION } from '../../index.ts';
import type { ReadAnswer } from '../console-context.ts';
import { listPresentHosts } from './present-hosts.ts';

export const describeSession: ReadAnswer<'session'> = async ({ skills, isReadOnly, changeToken }) => {
  const { cwd, home, agentHome } = skills.environment;
  const configFile = join(agentHome, 'config.yaml');
  const hosts = listPresentHosts(skills.environment).map(({ id, title }) => ({ id, title }));
  return { ok: true, version: VERSION, cwd, home, configFile, isReadOnly, hosts, changeToken };
};
