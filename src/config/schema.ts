import { z } from 'zod';

import { AUDIT_LIMITS, SANDBOX_POLICIES, type SkillsSection } from '../model/config.ts';
import { MAX_TIMEOUT_MS, parseTimeout, TIMEOUT_FORMS } from '../model/duration.ts';
import { HOST_IDS, type HostId } from '../model/host-id.ts';
import type { SettingName } from './settings.ts';

/** An empty value (`disabled:` with nothing after it) counts as missing. */
function optional<T extends z.ZodType>(schema: T): z.ZodType<z.output<T> | undefined> {
  return z.preprocess((value) => value ?? undefined, schema.optional());
}

const text = z.string('must be text');
const truth = z.boolean('must be true or false');
const count = z.int('must be a whole number').nonnegative('must not be negative');
const timeout = z.preprocess(
  (value) => (typeof value === 'string' ? (parseTimeout(value) ?? value) : value),
  z
    .int(`must be ${TIMEOUT_FORMS}`)
    .positive('must be more than 0')
    .max(MAX_TIMEOUT_MS, `must be at most ${MAX_TIMEOUT_MS}`),
);
/** Names and paths are text; a name like `404` needs no quotes. */
const name = z.union([z.string(), z.number(), z.boolean()], { error: 'must be text' }).transform(String);
const names = z.array(name, 'must be a list');

const plugin = z.preprocess(
  (entry) => (typeof entry === 'string' ? { url: entry } : entry),
  z.object(
    {
      url: text,
      ref: optional(text),
      name: optional(text),
      enabled: truth.default(true),
      installedAt: optional(text),
    },
    'must be a URL, or a mapping with a `url`',
  ),
);

const hostGlobs = z.strictObject(
  {
    'claude-code': optional(names),
    codex: optional(names),
    cursor: optional(names),
    copilot: optional(names),
    gemini: optional(names),
    opencode: optional(names),
  } satisfies Record<HostId, z.ZodType>,
  `must be lists of names and globs by host (${HOST_IDS.join(', ')})`,
);

const embeddings = z.strictObject(
  {
    url: z.url({ protocol: /^https?$/, error: 'must be an address that begins with http:// or https://' }),
    model: text.min(1, 'must not be empty'),
    key: optional(text.min(1, 'must not be empty')),
  },
  'must be a mapping with `url` and `model`',
);

/** The `skills:` section as people write it. Unknown keys pass here; the reader reports them. */
export const skillsSection: z.ZodType<SkillsSection> = z.looseObject({
  enabled: optional(truth),
  disabled: optional(names),
  enabledSkills: optional(names),
  pinned: optional(names),
  preferred: optional(z.record(z.string(), name, 'must be a mapping of names to sources')),
  ignoredSkills: optional(names),
  includeSkills: optional(names),
  customDirectories: optional(names),
  disabledSources: optional(names),
  enabledSources: optional(names),
  npmPackages: optional(names),
  disabledBundled: optional(names),
  enabledBundled: optional(names),
  enableSkillCommands: optional(truth),
  enableCommandFiles: optional(truth),
  maxSkills: optional(count),
  sandbox: optional(z.enum(SANDBOX_POLICIES, 'must be off, auto or require')),
  auditFailOn: optional(z.enum(AUDIT_LIMITS, `must be one of ${AUDIT_LIMITS.join(', ')}`)),
  scriptTimeout: optional(timeout),
  usage: optional(
    z.union(
      [z.boolean(), z.strictObject({ hosts: z.boolean().optional(), hub: z.boolean().optional() })],
      'must be true, false, or `hosts` and `hub` with true or false',
    ),
  ),
  learn: optional(truth),
  hosts: optional(hostGlobs),
  autoSync: optional(truth),
  ranking: optional(z.strictObject({ embeddings: optional(embeddings) }, 'must be a mapping with `embeddings`')),
  userDir: optional(text),
  agentSkillsDir: optional(text),
  pluginsDir: optional(text),
  plugins: optional(z.array(plugin, 'must be a list')),
} satisfies Record<keyof SkillsSection, z.ZodType>);

/** Would a list with this entry alone be a valid value of the setting? */
export function isValidEntry(setting: SettingName, entry: unknown): boolean {
  return skillsSection.safeParse({ [setting]: [entry] }).success;
}
