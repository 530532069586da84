import { openAllowedRules } from '../catalog/allowed-rules.ts';
import { locateSkill } from '../catalog/locate.ts';
import { openTrust } from '../catalog/trust.ts';
import type { SyncOptions } from '../hosts/sync/sync-request.ts';
import { planSync, sync, type SyncReport } from '../hosts/sync/sync.ts';
import type { AdmitSkill } from '../hosts/sync/wanted-skills.ts';
import type { Outcome } from '../model/outcome.ts';
import { readEnvironment, type Environment } from '../platform/environment.ts';
import { openWishes, readAgentDefault, type WishOptions } from './agent-wishes.ts';
import { openAuditVerdicts } from './audit-verdicts.ts';
import { openServingGate } from './serving-gate.ts';

/** How to sync, without the parts that the engine sets. */
export interface UngatedOptions extends Omit<SyncOptions, 'admit'>, Pick<WishOptions, 'everything'> {}

/** Says what `sync` would change, and changes nothing. */
export function planAgents(options: UngatedOptions = {}): Promise<Outcome<{ readonly plan: SyncReport }>> {
  return planSync(throughGate(options));
}

/**
 * Repairs the folders and switches of agents: after it, each has the skills that it shall have by the settings `agents` and
 * `hosts`, except for those that the audit withholds. The report says where that is not possible.
 */
export function syncAgents(options: UngatedOptions = {}): Promise<Outcome<{ readonly report: SyncReport }>> {
  return sync(throughGate(options));
}

/** Options with the gate, and with the wish unless they have one: other agents get the skills that our own models get. */
export function throughGate({ everything, ...options }: UngatedOptions): SyncOptions {
  const environment = readEnvironment(options);
  const wishFor = options.wishFor ?? openWishes(readAgentDefault(environment).agents, { everything });
  return { ...options, wishFor, admit: openAgentGate(environment) };
}

/** Says whether agents may be given a skill: the gate that our own models have. */
export function openAgentGate({ agentHome, userId }: Pick<Environment, 'agentHome' | 'userId'>): AdmitSkill {
  const parts = {
    verdicts: openAuditVerdicts(agentHome),
    trust: openTrust(agentHome),
    allowed: openAllowedRules(agentHome),
  };
  return async (skill, { roots, reading }) => {
    const locate = (): ReturnType<typeof locateSkill> => locateSkill(skill, { roots, userId });
    const gate = openServingGate({ ...parts, locate, readLimit: () => reading.config.auditFailOn });
    const located = locate();
    return located.ok ? gate.admit(located) : located;
  };
}
