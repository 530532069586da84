import { openAllowedRules } from '../catalog/allowed-rules.ts';
import { locateSkill } from '../catalog/locate.ts';
import { openTrust } from '../catalog/trust.ts';
import type { HostSwitch } from '../config/host-globs.ts';
import { planSwitched, type SwitchedPlan } from '../hosts/sync/plan-switched.ts';
import type { SyncOptions } from '../hosts/sync/sync-request.ts';
import { planSync, sync, watchSync, type SyncReport } from '../hosts/sync/sync.ts';
import type { AdmitSkill } from '../hosts/sync/wanted-skills.ts';
import type { Outcome } from '../model/outcome.ts';
import { readEnvironment } from '../platform/environment.ts';
import { openAuditVerdicts } from './audit-verdicts.ts';
import { openServingGate } from './serving-gate.ts';

type UngatedOptions = Omit<SyncOptions, 'admit'>;

/** Says what `sync` would change, and changes nothing. */
export function planAgents(options: UngatedOptions = {}): Promise<Outcome<{ readonly plan: SyncReport }>> {
  return planSync(throughGate(options));
}

/** Says what `sync` would change after skills were switched for hosts, and changes nothing. */
export function planSwitchedAgents(
  switches: readonly HostSwitch[],
  options: UngatedOptions = {},
): Promise<Outcome<SwitchedPlan>> {
  return planSwitched(switches, throughGate(options));
}

/**
 * Brings the folders and switches of other agent programs in step with the catalog: after it, each sees exactly what is
 * enabled here for it, except for skills that the audit withholds. The report says where that is not possible.
 */
export function syncAgents(options: UngatedOptions = {}): Promise<Outcome<{ readonly report: SyncReport }>> {
  return sync(throughGate(options));
}

/** Syncs again whenever skills or settings change, until it is closed. */
export function watchAgents(
  options: UngatedOptions,
  onSync: (result: Outcome<{ readonly report: SyncReport }>) => void,
): Promise<Outcome<{ readonly close: () => Promise<void> }>> {
  return watchSync(throughGate(options), onSync);
}

/** Other agents get the skills that our own models get. */
function throughGate(options: UngatedOptions): SyncOptions {
  const { agentHome, userId } = readEnvironment(options);
  const parts = {
    verdicts: openAuditVerdicts(agentHome),
    trust: openTrust(agentHome),
    allowed: openAllowedRules(agentHome),
  };
  const admit: AdmitSkill = async (skill, { roots, reading }) => {
    const locate = (): ReturnType<typeof locateSkill> => locateSkill(skill, { roots, userId });
    const gate = openServingGate({ ...parts, locate, readLimit: () => reading.config.auditFailOn });
    const located = locate();
    return located.ok ? gate.admit(located) : located;
  };
  return { ...options, admit };
}
