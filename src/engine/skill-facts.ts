import type { Failure, Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import type { SkillReport } from '../usage/usage-report.ts';
import type { Skills } from './open-skills.ts';
import { readSkillAgents, type AgentFact } from './skill-agents.ts';
import type { TrustInspection } from './skill-trust.ts';

/** Everything that is known of a skill. */
export interface SkillFacts {
  readonly skill: Skill;
  /** Other copies with its name. */
  readonly others: readonly Skill[];
  /** Undefined for a broken skill, and for one whose folder has no digest. */
  readonly inspection: Omit<TrustInspection, 'skill'> | undefined;
  /** Why models are not given its text. */
  readonly withheld: Failure | undefined;
  readonly usage: SkillReport | undefined;
  /** Which agents have it, and why the others do not. */
  readonly agents: readonly AgentFact[];
}

/** Audits the skill, and runs nothing. */
export async function collectFacts(engine: Skills, name: string): Promise<Outcome<SkillFacts>> {
  const found = engine.find(name);
  if (!found.ok) return found;
  const { skill } = found;
  const inspected = skill.status === 'broken' ? undefined : await engine.trust.inspect(skill.name);
  const reported = await engine.usageReport({ skill: skill.name });
  const [row] = await readSkillAgents(engine.catalog(), engine.environment, { names: [skill.name] });
  return {
    ok: true,
    skill,
    others: listOtherCopies(engine, skill),
    inspection: inspected?.ok === true ? withoutSkill(inspected) : undefined,
    withheld: await engine.trust.findWithheld(skill),
    usage: reported.ok ? reported.report?.skills.find((one) => one.name === skill.name) : undefined,
    agents: row?.agents ?? [],
  };
}

/** The other copies with the name of a skill. */
export function listOtherCopies(engine: Pick<Skills, 'copies'>, { name, file }: Skill): readonly Skill[] {
  return engine.copies().filter((copy) => copy.name === name && copy.file !== file);
}

function withoutSkill({ skill: _skill, ...inspection }: TrustInspection): SkillFacts['inspection'] {
  return inspection;
}
