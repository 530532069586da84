import { z } from 'zod';

import { SANDBOX_POLICIES, type SkillsSection } from '../model/config.ts';

/** An empty value (`disabled:` with nothing after it) counts as missing. */
function optional<T extends z.ZodType>(schema: T): z.ZodType<z.output<T> | undefined> {
  return z.preprocess((value) => value ?? undefined, schema.optional());
}

/** Names and paths are text; a name like `404` needs no quotes. */
const name = z.union([z.string(), z.number(), z.boolean()], { error: 'must be text' }).transform(String);
const names = z.array(name, { error: (issue) => (issue.code === 'invalid_type' ? 'must be a list' : undefined) });

const plugin = z.union([
  z.string().transform((url) => ({ url, enabled: true })),
  z.object({
    url: z.string(),
    ref: optional(z.string()),
    name: optional(z.string()),
    enabled: z.boolean().default(true),
    installedAt: optional(z.string()),
  }),
]);

/** The `skills:` section as people write it. Unknown keys pass here; the reader reports them. */
export const skillsSection: z.ZodType<SkillsSection> = z.looseObject({
  enabled: optional(z.boolean()),
  disabled: optional(names),
  enabledSkills: optional(names),
  ignoredSkills: optional(names),
  includeSkills: optional(names),
  customDirectories: optional(names),
  disabledSources: optional(names),
  enabledSources: optional(names),
  disabledBundled: optional(names),
  enabledBundled: optional(names),
  enableSkillCommands: optional(z.boolean()),
  sandbox: optional(z.enum(SANDBOX_POLICIES)),
  scriptTimeout: optional(z.int().positive()),
  usage: optional(z.boolean()),
  userDir: optional(z.string()),
  agentSkillsDir: optional(z.string()),
  pluginsDir: optional(z.string()),
  plugins: optional(z.array(plugin)),
} satisfies Record<keyof SkillsSection, z.ZodType>);
