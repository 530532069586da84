import type { FrontmatterValue } from '../model/skill.ts';
import type { FieldChanges } from '../parse/yaml/edit-fields.ts';

/** The content of a skill. A missing field is left out of a new skill and stays unchanged in an existing one. */
export interface SkillDraft {
  /** Also the name of its folder. */
  readonly name: string;
  readonly description: string;
  /** The instructions, in Markdown. */
  readonly body: string;
  /** Here and below, an empty text or list removes the field. */
  readonly tags?: readonly string[] | undefined;
  readonly domain?: string | undefined;
  readonly version?: string | undefined;
  readonly license?: string | undefined;
  readonly compatibility?: string | undefined;
  readonly allowedTools?: readonly string[] | undefined;
  readonly globs?: readonly string[] | undefined;
  /** References such as `toolsets/index:tools`. */
  readonly toolsets?: readonly string[] | undefined;
  /** Replaced as a whole. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly creator?: string | undefined;
  /** Keeps the skill in every list that a model is shown; `false` removes the field. */
  readonly alwaysPresent?: boolean | undefined;
}

/** Changes to an existing skill; its name stays. */
export type SkillChanges = { readonly [K in keyof Omit<SkillDraft, 'name'>]?: SkillDraft[K] | undefined };

/** The draft as frontmatter fields, in the order a new skill gets them. */
export function draftFields(draft: SkillChanges & { readonly name?: string }): FieldChanges {
  const { metadata, allowedTools, alwaysPresent } = draft;
  const fields: readonly (readonly [string, FrontmatterValue | undefined])[] = [
    ['name', draft.name],
    ['description', draft.description?.trim()],
    ['license', draft.license],
    ['compatibility', draft.compatibility],
    ['allowed-tools', allowedTools?.join(' ')],
    ['version', draft.version],
    ['domain', draft.domain],
    ['tags', draft.tags],
    ['globs', draft.globs],
    ['toolsets', draft.toolsets],
    ['creator', draft.creator],
    ['always_present', alwaysPresent === undefined ? undefined : alwaysPresent ? 'true' : ''],
    // Its other spelling, which would keep the skill pinned.
    ['alwaysApply', alwaysPresent === false ? '' : undefined],
    ['metadata', metadata === undefined ? undefined : new Map(Object.entries(metadata))],
  ];
  const given = fields.flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
  return new Map(given.map(([key, value]) => [key, isEmpty(value) ? undefined : value]));
}

function isEmpty(value: FrontmatterValue): boolean {
  if (value === null || typeof value === 'string') return value === null || value === '';
  return value instanceof Map ? value.size === 0 : [...value].length === 0;
}
