import type { Diagnostic } from '../model/diagnostic.ts';
import { DEFAULT_DOMAIN, DEFAULT_VERSION, listDefaults } from '../model/skill-defaults.ts';
import type { FileStamp, Skill, SkillDefinition } from '../model/skill.ts';
import { USABLE, type Placement } from './placement.ts';

/**
 * A record as the cache stores it, without defaults and without what follows from its directory. A frontmatter field
 * that is neither text nor a flag goes into `rest`.
 */
export interface PackedSkill {
  /** In the order of `TEXT`; undefined if the default applies. */
  readonly texts: readonly (string | undefined)[];
  readonly tokens: number;
  /** The brief line is this many characters of the description, or `WHOLE` of it, unless `texts` has one. */
  readonly briefLength: number;
  readonly flags: number;
  readonly rest: PackedRest | undefined;
}

/** The places of the texts in `PackedSkill.texts`. */
const TEXT = {
  name: 0,
  title: 1,
  description: 2,
  brief: 3,
  version: 4,
  domain: 5,
  license: 6,
  compatibility: 7,
  creator: 8,
  producerVersion: 9,
  textDigest: 10,
} as const;

export const TEXT_COUNT: number = Object.keys(TEXT).length;

/** The rarer fields. Empty ones are absent. */
export type PackedRest = Partial<
  Pick<
    SkillDefinition,
    'tags' | 'metadata' | 'allowedTools' | 'triggers' | 'globs' | 'toolsets' | 'scripts' | 'requires' | 'extra'
  >
> & { readonly diagnostics?: readonly PackedDiagnostic[] };

export type PackedDiagnostic = Omit<Diagnostic, 'path'>;

export const WHOLE = 0xffffffff;

/** Bits of `flags`, each set in the rarer case; `cut` means that the brief line ends with an ellipsis. */
const FLAGS = { unnamed: 1, pinned: 2, hidden: 4, notInvocable: 8, offByDefault: 16, cut: 32 } as const;
const ELLIPSIS = '…';

/** Where a cached skill was found. */
export interface CachedPlace {
  readonly id: string;
  readonly dir: string;
  readonly file: string;
  readonly origin: Placement;
}

export function packSkill(skill: Skill): PackedSkill {
  const { id, name, title, description, version, domain, license, compatibility, creator, producerVersion } = skill;
  const brief = packBrief(skill);
  return {
    texts: [
      name === id ? undefined : name,
      title === name ? undefined : title,
      description === '' ? undefined : description,
      brief.text,
      skill.defaults?.includes('version') === true ? undefined : version,
      skill.defaults?.includes('domain') === true ? undefined : domain,
      license,
      compatibility,
      creator,
      producerVersion,
      skill.textDigest,
    ],
    tokens: skill.tokens,
    briefLength: brief.length,
    flags:
      (skill.isNamed ? 0 : FLAGS.unnamed) |
      (skill.pinned ? FLAGS.pinned : 0) |
      (skill.hidden ? FLAGS.hidden : 0) |
      (skill.userInvocable ? 0 : FLAGS.notInvocable) |
      (skill.defaultEnabled ? 0 : FLAGS.offByDefault) |
      (brief.isCut ? FLAGS.cut : 0),
    rest: packRest(skill),
  };
}

interface PackedBrief {
  readonly length: number;
  readonly isCut: boolean;
  /** The line itself, if it is not the beginning of the description. */
  readonly text: string | undefined;
}

function packBrief({ brief, description }: Skill): PackedBrief {
  if (brief === description) return { length: WHOLE, isCut: false, text: undefined };
  if (description.startsWith(brief)) return { length: brief.length, isCut: false, text: undefined };
  const isCut = brief.endsWith(ELLIPSIS) && description.startsWith(brief.slice(0, -ELLIPSIS.length));
  return { length: isCut ? brief.length - ELLIPSIS.length : 0, isCut, text: isCut ? undefined : brief };
}

function packRest(skill: Skill): PackedRest | undefined {
  const { tags, metadata, allowedTools, triggers, globs, toolsets, scripts, requires, extra, diagnostics } = skill;
  const hasTriggers = triggers.keywords.length > 0 || triggers.verbs.length > 0 || triggers.patterns.length > 0;
  const isPlain =
    !hasTriggers &&
    scripts === undefined &&
    [tags, allowedTools, globs, toolsets, requires, diagnostics].every(isEmpty) &&
    !hasKeys(metadata) &&
    !hasKeys(extra);
  if (isPlain) return undefined;
  return {
    ...(!isEmpty(tags) && { tags }),
    ...(hasKeys(metadata) && { metadata }),
    ...(!isEmpty(allowedTools) && { allowedTools }),
    ...(hasTriggers && { triggers }),
    ...(!isEmpty(globs) && { globs }),
    ...(!isEmpty(toolsets) && { toolsets }),
    ...(scripts !== undefined && { scripts }),
    ...(!isEmpty(requires) && { requires }),
    ...(hasKeys(extra) && { extra }),
    ...(!isEmpty(diagnostics) && { diagnostics: packDiagnostics(diagnostics) }),
  };
}

/** One object literal and no spread, which makes it many times faster. */
export function unpackSkill(packed: PackedSkill, { id, dir, file, origin }: CachedPlace, stamp: FileStamp): Skill {
  const { texts, flags, rest = NO_REST } = packed;
  const name = texts[TEXT.name] ?? id;
  const description = texts[TEXT.description] ?? '';
  const version = texts[TEXT.version];
  const domain = texts[TEXT.domain];
  return {
    id,
    name,
    isNamed: (flags & FLAGS.unnamed) === 0,
    title: texts[TEXT.title] ?? name,
    description,
    brief: texts[TEXT.brief] ?? unpackBrief(description, packed),
    tokens: packed.tokens,
    textDigest: texts[TEXT.textDigest],
    version: version ?? DEFAULT_VERSION,
    domain: domain ?? DEFAULT_DOMAIN,
    defaults: listDefaults(version, domain),
    tags: rest.tags ?? NONE,
    license: texts[TEXT.license],
    compatibility: texts[TEXT.compatibility],
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
    creator: texts[TEXT.creator],
    producerVersion: texts[TEXT.producerVersion],
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

function unpackBrief(description: string, { briefLength, flags }: PackedSkill): string {
  if (briefLength === WHOLE) return description;
  const start = description.slice(0, briefLength);
  return (flags & FLAGS.cut) === 0 ? start : `${start}${ELLIPSIS}`;
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
