import { openAllowedRules } from '../../catalog/allowed-rules.ts';
import { isBroken } from '../../catalog/broken.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { locateSkill } from '../../catalog/locate.ts';
import { openTrust } from '../../catalog/trust.ts';
import type { Environment } from '../../platform/environment.ts';
import { askAgents } from '../agents-having.ts';
import { openAuditVerdicts } from '../audit-verdicts.ts';
import { openServingGate } from '../serving-gate.ts';
import { check, type Check } from './check-scan.ts';

/** Finds what keeps working skills from models: audits that block them, and agents whose list of skills is too long. */
export async function checkReach(catalog: Catalog, environment: Environment): Promise<readonly Check[]> {
  return [...(await checkBlocked(catalog, environment)), ...checkLists(catalog, environment)];
}

/** Skills that no model is given, as far as their audits are known. */
async function checkBlocked(catalog: Catalog, { agentHome, userId }: Environment): Promise<readonly Check[]> {
  const { roots, reading, skills } = catalog;
  const gate = openServingGate({
    readLimit: () => reading.config.auditFailOn,
    verdicts: openAuditVerdicts(agentHome),
    trust: openTrust(agentHome),
    allowed: openAllowedRules(agentHome),
    locate: (skill) => locateSkill(skill, { roots, userId }),
  });
  const served = await gate.survey(skills.filter((skill) => skill.enabled && !isBroken(skill)));
  return [...served.values()].flatMap((answer) =>
    answer.ok ? [] : [check('skills', answer.message, { status: 'warning', next: answer.next })],
  );
}

function checkLists(catalog: Catalog, environment: Environment): readonly Check[] {
  return askAgents([...catalog.skills, ...catalog.shadowed], catalog, environment).flatMap(({ host, view }) => {
    const { room } = view;
    if (room === undefined || room.needed <= room.limit) return [];
    const detail = `${host.title}: its list of skills is too long, ${room.needed} of ${room.limit} ${room.unit}, so its model does not see all of it`;
    return [check('lists', detail, { status: 'warning', next: { do: 'explain', host: host.id } })];
  });
}
