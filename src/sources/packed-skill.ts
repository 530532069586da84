import type { Diagnostic } from '../model/diagnostic.ts';
import { DEFAULT_DOMAIN, DEFAULT_VERSION, markDefaults } from '../model/skill-defaults.ts';
import type { FileStamp, Skill, SkillDefinition } from '../model/skill.ts';
import { USABLE, type Placement } from './placement.ts';

/**
 * A record as the cache stores it, without defaults and without what follows from its directory. A frontmatter field
 * that is neither text nor a flag goes into `rest`.
 */
export interface PackedSkill {
  /** In the order of `TEXTS`; undefined if the default applies. */
  readonly texts: readonly (string | undefined)[];
  readonly tokens: number;
  /** The brief line is this many characters of the description, or `WHOLE` of it. Ignored if `rest` has a brief line. */
  readonly briefLength: number;
  readonly flags: number;
  readonly rest: PackedRest | undefined;
}

/** The rarer fields. Empty ones are absent. */
export type PackedRest = Partial<
  Pick<
    SkillDefinition,
    | 'brief'
    | 'tags'
    | 'metadata'
    | 'allowedTools'
    | 'triggers'
    | 'globs'
    | 'toolsets'
    | 'scripts'
    | 'requires'
    | 'creator'
    | 'producerVersion'
    | 'extra'
  >
> & { readonly diagnostics?: readonly PackedDiagnostic[] };

export type PackedDiagnostic = Omit<Diagnostic, 'path'>;

export const TEXTS = [
  'name',
  'title',
  'description',
  'version',
  'domain',
  'license',
  'compatibility',
  'textDigest',
] as const;

export const WHOLE = 0xffffffff;

/** Bits of `flags`, each set in the rarer case. */
const FLAGS = { unnamed: 1, pinned: 2, hidden: 4, notInvocable: 8, offByDefault: 16 } as const;

/** Where a cached skill was found. */
export interface CachedPlace {
  readonly id: string;
  readonly dir: string;
  readonly file: string;
  readonly origin: Placement;
}

export function packSkill(skill: Skill): PackedSkill {
  const { id, name, title, description, brief, version, domain, license, compatibility, tokens } = skill;
  const isBeginning = description.startsWith(brief);
  return {
    texts: [
      name === id ? undefined : name,
      title === name ? undefined : title,
      description === '' ? undefined : description,
      skill.defaults?.includes('version') === true ? undefined : version,
      skill.defaults?.includes('domain') === true ? undefined : domain,
      license,
      compatibility,
      skill.textDigest,
    ],
    tokens,
    briefLength: brief.length === description.length ? WHOLE : brief.length,
    flags:
      (skill.isNamed ? 0 : FLAGS.unnamed) |
      (skill.pinned ? FLAGS.pinned : 0) |
      (skill.hidden ? FLAGS.hidden : 0) |
      (skill.userInvocable ? 0 : FLAGS.notInvocable) |
      (skill.defaultEnabled ? 0 : FLAGS.offByDefault),
    rest: packRest(skill, isBeginning),
  };
}

function packRest(skill: Skill, isBriefImplied: boolean): PackedRest | undefined {
  const { keywords, verbs, patterns } = skill.triggers;
  const hasTriggers = keywords.length > 0 || verbs.length > 0 || patterns.length > 0;
  const isPlain =
    isBriefImplied &&
    !hasTriggers &&
    skill.scripts === undefined &&
    skill.creator === undefined &&
    skill.producerVersion === undefined &&
    [skill.tags, skill.allowedTools, skill.globs, skill.toolsets, skill.requires, skill.diagnostics].every(isEmpty) &&
    !hasKeys(skill.metadata) &&
    !hasKeys(skill.extra);
  if (isPlain) return undefined;
  return {
    ...(!isBriefImplied && { brief: skill.brief }),
    ...(!isEmpty(skill.tags) && { tags: skill.tags }),
    ...(hasKeys(skill.metadata) && { metadata: skill.metadata }),
    ...(!isEmpty(skill.allowedTools) && { allowedTools: skill.allowedTools }),
    ...(hasTriggers && { triggers: skill.triggers }),
    ...(!isEmpty(skill.globs) && { globs: skill.globs }),
    ...(!isEmpty(skill.toolsets) && { toolsets: skill.toolsets }),
    ...(skill.scripts !== undefined && { scripts: skill.scripts }),
    ...(!isEmpty(skill.requires) && { requires: skill.requires }),
    ...(skill.creator !== undefined && { creator: skill.creator }),
    ...(skill.producerVersion !== undefined && { producerVersion: skill.producerVersion }),
    ...(hasKeys(skill.extra) && { extra: skill.extra }),
    ...(!isEmpty(skill.diagnostics) && { diagnostics: packDiagnostics(skill.diagnostics) }),
  };
}

export function unpackSkill(packed: PackedSkill, { id, dir, file, origin }: CachedPlace, stamp: FileStamp): Skill {
  const { flags, briefLength, rest = NO_REST } = packed;
  const [ownName, title, description = '', version, domain, license, compatibility, textDigest] = packed.texts;
  const name = ownName ?? id;
  return {
    id,
    name,
    isNamed: (flags & FLAGS.unnamed) === 0,
    title: title ?? name,
    description,
    brief: rest.brief ?? (briefLength === WHOLE ? description : description.slice(0, briefLength)),
    tokens: packed.tokens,
    textDigest,
    version: version ?? DEFAULT_VERSION,
    domain: domain ?? DEFAULT_DOMAIN,
    ...markDefaults({ version, domain }),
    tags: rest.tags ?? NONE,
    license,
    compatibility,
    metadata: rest.metadata ?? NOTHING,
    allowedTools: rest.allowedTools ?? NONE,
    triggers: rest.triggers ?? NO_TRIGGERS,
    globs: rest.globs ?? NONE,
    pinned: (flags & FLAGS.pinned) !== 0,
    hidden: (flags & FLAGS.hidden) !== 0,
    userInvocable: (flags & FLAGS.notInvocable) === 0,
    defaultEnabled: (flags & FLAGS.offByDefault) === 0,
    toolsets: rest.toolsets ?? NONE,
    scripts: rest.scripts,
    requires: rest.requires ?? NONE,
    creator: rest.creator,
    producerVersion: rest.producerVersion,
    extra: rest.extra ?? NOTHING,
    dir,
    file,
    diagnostics: rest.diagnostics === undefined ? NO_DIAGNOSTICS : unpackDiagnostics(rest.diagnostics, file),
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

const NO_REST: PackedRest = {};
const NONE: readonly string[] = [];
const NOTHING = {};
const NO_DIAGNOSTICS: readonly Diagnostic[] = [];
const NO_TRIGGERS: SkillDefinition['triggers'] = { keywords: NONE, verbs: NONE, patterns: NONE };

function isEmpty(list: readonly unknown[]): boolean {
  return list.length === 0;
}

function hasKeys(record: object): boolean {
  for (const _ in record) return true;
  return false;
}
