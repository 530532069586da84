import type { AgentId } from './agents.ts';

/**
 * When scripts run in bubblewrap: never, if it works, or always (otherwise they do not run). Stricter policies come
 * later.
 */
export const SANDBOX_POLICIES = ['off', 'auto', 'require'] as const;

export type SandboxPolicy = (typeof SANDBOX_POLICIES)[number];

/** The severity of audit findings that refuse a skill without a person's decision. Stricter limits come later. */
export const AUDIT_LIMITS = ['never', 'critical', 'high', 'medium', 'low', 'info'] as const;

export type AuditLimit = (typeof AUDIT_LIMITS)[number];

/**
 * Is a history of use kept, does it take in what other agent programs remember (`hosts`, on by default), and do hubs get counts
 * of it (`hub`, off by default)? `true` is the history with all defaults.
 */
export type UsageSetting = boolean | { readonly hosts?: boolean | undefined; readonly hub?: boolean | undefined };

/** Does the history take in what other agent programs remember? */
export function readsHosts(usage: UsageSetting): boolean {
  return typeof usage === 'boolean' ? usage : usage.hosts !== false;
}

/** Do hubs get counts of use? */
export function tellsHubs(usage: UsageSetting): boolean {
  return typeof usage === 'object' && usage.hub === true;
}

/** A model that compares requests and skills by their meaning, behind the OpenAI protocol for embeddings. */
export interface EmbeddingsSetting {
  /** The address before `/embeddings`. */
  readonly url: string;
  readonly model: string;
  /** The key itself, or `$NAME` for a variable of the environment. */
  readonly key?: string | undefined;
}

export interface RankingSetting {
  readonly embeddings?: EmbeddingsSetting | undefined;
}

/** The agents that get skills by default: these, or those that are found on this machine. */
export type AgentsSetting = readonly AgentId[] | 'found';

/** By host, the skills that it shall see. See `config/host-globs.ts`. */
export type HostGlobs = { readonly [Id in AgentId]?: readonly string[] | undefined };

/** A plugin as listed in `config.yaml`. */
export interface PluginDefinition {
  readonly url: string;
  /** A branch, tag or commit. */
  readonly ref?: string | undefined;
  readonly name?: string | undefined;
  /** Default: true. */
  readonly enabled?: boolean | undefined;
  /** ISO 8601. */
  readonly installedAt?: string | undefined;
}

/** A directory of skills from the configuration; `level` tells whose configuration names it. */
export interface CustomDirectory {
  readonly path: string;
  readonly level: 'user' | 'project';
}

/**
 * The complete `skills:` section of `config.yaml`: the project's laid over the user's, defaults filled in.
 * config/settings.ts describes every setting.
 */
export interface SkillsConfig extends SkillsSettings {
  /**
   * The project's own values. A skill must pass both allow-lists, an agent needs both `hosts`, the project's `preferred`
   * chooses only between its own copies, and `disabled` (merged above) tells who disabled a skill.
   */
  readonly project: Partial<
    Pick<SkillsSettings, 'includeSkills' | 'enabledBundled' | 'hosts' | 'preferred' | 'disabled'>
  >;
}

export interface SkillsSettings {
  readonly enabled: boolean;
  readonly plugins: readonly PluginDefinition[];
  /** Absolute, like all paths here. */
  readonly pluginsDir: string;
  readonly userDir: string;
  readonly agentSkillsDir: string;
  readonly disabledBundled: readonly string[];
  readonly enabledBundled: readonly string[];
  /** In milliseconds. */
  readonly scriptTimeout: number;
  readonly sandbox: SandboxPolicy;
  readonly auditFailOn: AuditLimit;
  readonly customDirectories: readonly CustomDirectory[];
  readonly ignoredSkills: readonly string[];
  readonly includeSkills: readonly string[];
  readonly disabledSources: readonly string[];
  readonly enabledSources: readonly string[];
  readonly npmPackages: readonly string[];
  readonly privateHosts: readonly string[];
  readonly enableSkillCommands: boolean;
  readonly enableCommandFiles: boolean;
  readonly maxSkills: number;
  readonly disabled: readonly string[];
  readonly enabledSkills: readonly string[];
  readonly pinned: readonly string[];
  /** Sources by the name of a skill. */
  readonly preferred: Readonly<Record<string, string>>;
  readonly usage: UsageSetting;
  /** Do uses teach for which requests a skill serves? */
  readonly learn: boolean;
  /** Does the hook of a host also name skills that only may fit? */
  readonly likelyHints: boolean;
  readonly agents: AgentsSetting;
  readonly hosts: HostGlobs;
  readonly ranking: RankingSetting;
}

/** The `skills:` section as one file gives it: absent settings are undefined, and paths are not yet expanded. */
export type SkillsSection = {
  readonly [Key in keyof SkillsSettings]?:
    | (Key extends 'customDirectories' ? readonly string[] : SkillsSettings[Key])
    | undefined;
};
