import type { Diagnostic } from '../model/diagnostic.ts';
import type { FileStamp, SkillDefinition, Skill } from '../model/skill.ts';
import { USABLE, type Origin } from './origin.ts';

/** A record without what its directory or a default says: a third of the size, and as much faster to parse. */
export type PackedSkill = Partial<Omit<SkillDefinition, 'id' | 'dir' | 'file' | 'diagnostics' | 'brief'>> & {
  /** A number where it is the beginning of the description: its length. */
  readonly brief?: string | number;
  readonly diagnostics?: readonly PackedDiagnostic[];
};

export type PackedDiagnostic = Omit<Diagnostic, 'path'>;

export interface SkillPlace {
  readonly id: string;
  readonly dir: string;
  readonly file: string;
  readonly origin: Origin;
}

/** Leaves out whatever unpacking would give anyway. */
export function packSkill(skill: Skill): PackedSkill {
  const { id, name, description, dir, file, source, group, level, stamp, diagnostics } = skill;
  const implied = new Map<string, unknown>(
    Object.entries(unpackSkill({ name, description }, { id, dir, file, origin: { source, group, level } }, stamp)),
  );
  implied.set('name', id).set('description', '').set('diagnostics', diagnostics);
  const kept = Object.entries(skill).filter(([key, value]) => !isSame(value, implied.get(key)));
  const isBeginning = skill.brief !== description && description.startsWith(skill.brief);
  const shortened = isBeginning ? { brief: skill.brief.length } : {};
  const flaws = diagnostics.length === 0 ? {} : { diagnostics: packDiagnostics(diagnostics) };
  return { ...Object.fromEntries(kept), ...shortened, ...flaws };
}

export function unpackSkill(packed: PackedSkill, { id, dir, file, origin }: SkillPlace, stamp: FileStamp): Skill {
  const name = packed.name ?? id;
  const description = packed.description ?? '';
  return {
    id,
    name,
    isNamed: packed.isNamed ?? true,
    title: packed.title ?? name,
    description,
    brief: typeof packed.brief === 'number' ? description.slice(0, packed.brief) : (packed.brief ?? description),
    tokens: packed.tokens ?? 0,
    version: packed.version ?? '1.0.0',
    domain: packed.domain ?? 'development',
    tags: packed.tags ?? NONE,
    license: packed.license,
    compatibility: packed.compatibility,
    metadata: packed.metadata ?? NOTHING,
    allowedTools: packed.allowedTools ?? NONE,
    triggers: packed.triggers ?? NO_TRIGGERS,
    globs: packed.globs ?? NONE,
    pinned: packed.pinned ?? false,
    hidden: packed.hidden ?? false,
    userInvocable: packed.userInvocable ?? true,
    defaultEnabled: packed.defaultEnabled ?? true,
    toolsets: packed.toolsets ?? NONE,
    scripts: packed.scripts,
    requires: packed.requires ?? NONE,
    creator: packed.creator,
    producerVersion: packed.producerVersion,
    extra: packed.extra ?? NOTHING,
    dir,
    file,
    diagnostics: packed.diagnostics === undefined ? NO_DIAGNOSTICS : unpackDiagnostics(packed.diagnostics, file),
    source: origin.source,
    group: origin.group,
    level: origin.level,
    stamp,
    enabled: USABLE.enabled,
    available: USABLE.available,
    status: USABLE.status,
    reasons: USABLE.reasons,
    unavailableReason: USABLE.unavailableReason,
    shadows: USABLE.shadows,
    shadowedBy: USABLE.shadowedBy,
  };
}

export function packDiagnostics(diagnostics: readonly Diagnostic[]): readonly PackedDiagnostic[] {
  return diagnostics.map(({ path: _path, ...rest }) => rest);
}

export function unpackDiagnostics(packed: readonly PackedDiagnostic[], path: string): readonly Diagnostic[] {
  return packed.map((diagnostic) => ({ ...diagnostic, path }));
}

const NONE: readonly string[] = [];
const NOTHING = {};
const NO_DIAGNOSTICS: readonly Diagnostic[] = [];
const NO_TRIGGERS: SkillDefinition['triggers'] = { keywords: NONE, verbs: NONE, patterns: NONE };

function isSame(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b));
}
