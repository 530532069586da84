import { existsSync } from 'node:fs';

import { HOST_IDS, HOSTS, type Host } from '../../hosts.ts';
import { findCommand, type Environment } from '../../index.ts';

/** The agent programs on this machine, without a look at what they see. */
export function listPresentHosts(environment: Environment): readonly Host[] {
  return HOST_IDS.map((id) => HOSTS[id]).filter(
    (host) => findCommand(host.program, environment) !== undefined || existsSync(host.folder(environment)),
  );
}
