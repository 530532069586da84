import type { Diagnostic } from '../model/diagnostic.ts';
import { DEFAULT_DOMAIN, DEFAULT_VERSION, listDefaults } from '../model/skill-defaults.ts';
import type { FileStamp, Skill, SkillDefinition } from '../model/skill.ts';
import { isPlainName } from '../parse/name-rules.ts';
import { USABLE, type Placement } from './placement.ts';

/**
 * A record as the cache stores it, without defaults and without what follows from its directory. A frontmatter field
 * that is neither text nor a flag goes into `rest`.
 */
export interface PackedSkill {
  /** In the order of `TEXT_PLACE`; undefined if the default applies. */
  readonly texts: readonly (string | undefined)[];
  readonly tokens: number;
  /** The brief line is this many characters of the description, or `WHOLE` of it, unless `texts` has one. */
  readonly briefLength: number;
  readonly flags: number;
  readonly rest: PackedRest | undefined;
}

/** The places of the texts in `PackedSkill.texts`. */
export const TEXT_PLACE = {
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
  tags: 11,
} as const;

export const TEXT_COUNT: number = Object.keys(TEXT_PLACE).length;

/** The rarer fields. Empty ones are absent. */
export type PackedRest = Partial<
  Pick<
    SkillDefinition,
    'tags' | 'metadata' | 'allowedTools' | 'triggers' | 'globs' | 'toolsets' | 'scripts' | 'requires' | 'extra'
  >
> & { readonly diagnostics?: readonly PackedDiagnostic[] };

export type PackedDiagnostic = Omit<Diagnostic, 'path'>;

export const WHOLE = 0xffffffff;

/**
 * Bits of `flags`, each set in the rarer case, except for `plainName`: the name is plain, and that of the directory. `cut` means
 * that the brief line ends with an ellipsis; the four after it tell what is worth looking for in `rest`.
 */
export const FLAG_BITS = {
  unnamed: 1,
  pinned: 2,
  hidden: 4,
  notInvocable: 8,
  offByDefault: 16,
  cut: 32,
  requires: 64,
  flawed: 128,
  patterns: 256,
  oddTags: 512,
  plainName: 1024,
} as const;
const ELLIPSIS = '…';

/** Where a cached skill was found. */
export interface CachedPlace {
  readonly id: string;
  readonly dir: string;
  readonly file: string;
  readonly origin: Placement;
}

export function packSkill(skill: SkillDefinition): PackedSkill {
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
      packTags(skill),
    ],
    tokens: skill.tokens,
    briefLength: brief.length,
    flags:
      (skill.isNamed ? 0 : FLAG_BITS.unnamed) |
      (skill.pinned ? FLAG_BITS.pinned : 0) |
      (skill.hidden ? FLAG_BITS.hidden : 0) |
      (skill.userInvocable ? 0 : FLAG_BITS.notInvocable) |
      (skill.defaultEnabled ? 0 : FLAG_BITS.offByDefault) |
      (brief.isCut ? FLAG_BITS.cut : 0) |
      (skill.requires.length > 0 ? FLAG_BITS.requires : 0) |
      (skill.diagnostics.length > 0 ? FLAG_BITS.flawed : 0) |
      (skill.triggers.patterns.length > 0 ? FLAG_BITS.patterns : 0) |
      (hasOddTags(skill) ? FLAG_BITS.oddTags : 0) |
      (name === id && isPlainName(name) ? FLAG_BITS.plainName : 0),
    rest: packRest(skill),
  };
}

/** Tags are read by every search, so they are one text. */
function packTags(skill: SkillDefinition): string | undefined {
  return isEmpty(skill.tags) || hasOddTags(skill) ? undefined : skill.tags.join(BETWEEN_TAGS);
}

export function unpackTags(text: string | undefined): readonly string[] | undefined {
  return text?.split(BETWEEN_TAGS);
}

const BETWEEN_TAGS = '\0';

/** Such tags go into `rest`. */
function hasOddTags({ tags }: SkillDefinition): boolean {
  return tags.some((tag) => tag.includes(BETWEEN_TAGS));
}

interface PackedBrief {
  readonly length: number;
  readonly isCut: boolean;
  /** The line itself, if it is not the beginning of the description. */
  readonly text: string | undefined;
}

function packBrief({ brief, description }: SkillDefinition): PackedBrief {
  if (brief === description) return { length: WHOLE, isCut: false, text: undefined };
  if (description.startsWith(brief)) return { length: brief.length, isCut: false, text: undefined };
  const isCut = brief.endsWith(ELLIPSIS) && description.startsWith(brief.slice(0, -ELLIPSIS.length));
  return { length: isCut ? brief.length - ELLIPSIS.length : 0, isCut, text: isCut ? undefined : brief };
}

function packRest(skill: SkillDefinition): PackedRest | undefined {
  const { tags, metadata, allowedTools, triggers, globs, toolsets, scripts, requires, extra, diagnostics } = skill;
  const hasTriggers = triggers.keywords.length > 0 || triggers.verbs.length > 0 || triggers.patterns.length > 0;
  const isPlain =
    !hasOddTags(skill) &&
    !hasTriggers &&
    scripts === undefined &&
    [allowedTools, globs, toolsets, requires, diagnostics].every(isEmpty) &&
    !hasKeys(metadata) &&
    !hasKeys(extra);
  if (isPlain) return undefined;
  return {
    ...(hasOddTags(skill) && { tags }),
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
  const name = texts[TEXT_PLACE.name] ?? id;
  const description = texts[TEXT_PLACE.description] ?? '';
  const version = texts[TEXT_PLACE.version];
  const domain = texts[TEXT_PLACE.domain];
  return {
    id,
    name,
    isNamed: (flags & FLAG_BITS.unnamed) === 0,
    title: texts[TEXT_PLACE.title] ?? name,
    description,
    brief: texts[TEXT_PLACE.brief] ?? unpackBrief(description, packed),
    tokens: packed.tokens,
    textDigest: texts[TEXT_PLACE.textDigest],
    version: version ?? DEFAULT_VERSION,
    domain: domain ?? DEFAULT_DOMAIN,
    defaults: listDefaults(version, domain),
    tags: unpackTags(texts[TEXT_PLACE.tags]) ?? rest.tags ?? NONE,
    license: texts[TEXT_PLACE.license],
    compatibility: texts[TEXT_PLACE.compatibility],
    metadata: rest.metadata ?? NOTHING,
    allowedTools: rest.allowedTools ?? NONE,
    triggers: rest.triggers ?? NO_TRIGGERS,
    globs: rest.globs ?? NONE,
    pinned: (flags & FLAG_BITS.pinned) !== 0,
    hidden: (flags & FLAG_BITS.hidden) !== 0,
    userInvocable: (flags & FLAG_BITS.notInvocable) === 0,
    defaultEnabled: (flags & FLAG_BITS.offByDefault) === 0,
    toolsets: rest.toolsets ?? NONE,
    scripts: rest.scripts,
    requires: rest.requires ?? NONE,
    creator: texts[TEXT_PLACE.creator],
    producerVersion: texts[TEXT_PLACE.producerVersion],
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

export function unpackBrief(
  description: string,
  { briefLength, flags }: Pick<PackedSkill, 'briefLength' | 'flags'>,
): string {
  if (briefLength === WHOLE) return description;
  const start = description.slice(0, briefLength);
  return (flags & FLAG_BITS.cut) === 0 ? start : `${start}${ELLIPSIS}`;
}

export function packDiagnostics(diagnostics: readonly Diagnostic[]): readonly PackedDiagnostic[] {
  return diagnostics.map(({ path: _path, ...rest }) => rest);
}

export function unpackDiagnostics(packed: readonly PackedDiagnostic[], path: string): readonly Diagnostic[] {
  return packed.map((diagnostic) => ({ ...diagnostic, path }));
}

const NO_REST: PackedRest = {};
export const NONE: readonly string[] = [];
export const NOTHING = {};
export const NO_DIAGNOSTICS: readonly Diagnostic[] = [];
export const NO_TRIGGERS: SkillDefinition['triggers'] = { keywords: NONE, verbs: NONE, patterns: NONE };

function isEmpty(list: readonly unknown[]): boolean {
  return list.length === 0;
}

function hasKeys(record: object): boolean {
  for (const _ in record) return true;
  return false;
}
