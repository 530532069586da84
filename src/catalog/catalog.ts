import type { SkillsConfig } from '../model/config.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Shadow, Skill } from '../model/skill.ts';
import type { SourceRoot } from '../model/source.ts';
import type { FoundSkill } from '../sources/scan.ts';
import { compareText } from './order.ts';
import { describeShadow, resolveShadowing } from './shadowing.ts';
import { judgeSkill, type CommandLookup } from './state.ts';

/** The one merged view of every skill there is. */
export interface Catalog {
  /** One skill a name, sorted by name, then source. */
  readonly skills: readonly Skill[];
  /** The copies that lost their name, sorted alike. */
  readonly shadowed: readonly Skill[];
  /** Everything that is wrong anywhere, sorted by path. */
  readonly diagnostics: readonly Diagnostic[];
  /** The directories that were looked into. */
  readonly roots: readonly SourceRoot[];
}

export interface CatalogInput {
  readonly found: readonly FoundSkill[];
  readonly roots: readonly SourceRoot[];
  /** What reading the configuration and the sources reported. */
  readonly diagnostics: readonly Diagnostic[];
  readonly config: SkillsConfig;
  readonly hasCommand: CommandLookup;
}

export function buildCatalog({ found, roots, diagnostics, config, hasCommand }: CatalogInput): Catalog {
  const skills: Skill[] = [];
  const shadowed: Skill[] = [];
  const reported: Diagnostic[] = [...diagnostics];
  for (const { winner, losers } of resolveShadowing(found)) {
    skills.push(toSkill(winner, { losers, shadowedBy: undefined, state: judgeSkill(winner, config, hasCommand) }));
    if (winner.skill.diagnostics.length > 0) reported.push(...winner.skill.diagnostics);
    for (const loser of losers) {
      const state = judgeSkill(loser, config, hasCommand);
      shadowed.push(toSkill(loser, { losers: [], shadowedBy: winner.skill.file, state }));
      reported.push(...loser.skill.diagnostics, describeShadow(loser, winner));
    }
  }
  return { skills: skills.sort(byName), shadowed: shadowed.sort(byName), diagnostics: reported.sort(byPath), roots };
}

/** Winners and shadowed copies together, in the order of both. */
export function listCopies({ skills, shadowed }: Catalog): readonly Skill[] {
  return [...skills, ...shadowed].sort(byName);
}

interface Standing {
  readonly losers: readonly FoundSkill[];
  readonly shadowedBy: string | undefined;
  readonly state: ReturnType<typeof judgeSkill>;
}

function toSkill({ skill, root }: FoundSkill, { losers, shadowedBy, state }: Standing): Skill {
  return {
    ...skill,
    source: root.id,
    group: root.group,
    level: root.level,
    enabled: state.enabled,
    available: state.available,
    status: state.status,
    reasons: state.reasons,
    unavailableReason: state.unavailableReason,
    shadows: losers.length === 0 ? NO_SHADOWS : losers.map(toShadow),
    shadowedBy,
  };
}

const NO_SHADOWS: readonly Shadow[] = [];

function toShadow({ skill, root }: FoundSkill): Shadow {
  return { source: root.id, name: skill.name, dir: skill.dir, file: skill.file };
}

function byName(a: Skill, b: Skill): number {
  return compareText(a.name, b.name) || compareText(a.source, b.source) || compareText(a.file, b.file);
}

function byPath(a: Diagnostic, b: Diagnostic): number {
  return compareText(a.path, b.path);
}
