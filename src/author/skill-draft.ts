import type { FrontmatterValue } from '../model/skill.ts';
import type { FieldChanges } from '../parse/edit-fields.ts';

/** What a skill shall say. A field that is not given is left out of a new skill and stays as it is in an old one. */
export interface SkillDraft {
  /** Also the name of its folder. */
  readonly name: string;
  readonly description: string;
  /** The instructions, Markdown. */
  readonly body: string;
  /** Of all below, an empty text or list takes the field away. */
  readonly tags?: readonly string[] | undefined;
  readonly domain?: string | undefined;
  readonly version?: string | undefined;
  readonly license?: string | undefined;
  readonly compatibility?: string | undefined;
  readonly allowedTools?: readonly string[] | undefined;
  readonly globs?: readonly string[] | undefined;
  /** "path:Export" references. */
  readonly toolsets?: readonly string[] | undefined;
  /** Replaced as a whole. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly creator?: string | undefined;
}

/** Changes to a skill that there is; its name stays. */
export type SkillChanges = { readonly [K in keyof Omit<SkillDraft, 'name'>]?: SkillDraft[K] | undefined };

/** The draft as fields of the frontmatter. A new skill has them in this order. */
export function draftFields(draft: SkillChanges & { readonly name?: string }): FieldChanges {
  const { metadata, allowedTools } = draft;
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
    ['metadata', metadata === undefined ? undefined : new Map(Object.entries(metadata))],
  ];
  const given = fields.flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
  return new Map(given.map(([key, value]) => [key, isEmpty(value) ? undefined : value]));
}

function isEmpty(value: FrontmatterValue): boolean {
  if (value === null || typeof value === 'string') return value === null || value === '';
  return value instanceof Map ? value.size === 0 : [...value].length === 0;
}
