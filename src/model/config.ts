/** `require`: scripts run in bubblewrap or not at all. `auto`: where it works. `off`: as any other process. Stricter is later. */
export const SANDBOX_POLICIES = ['off', 'auto', 'require'] as const;

export type SandboxPolicy = (typeof SANDBOX_POLICIES)[number];

/** A plugin as `config.yaml` tracks it. */
export interface PluginDefinition {
  readonly url: string;
  readonly ref?: string | undefined;
  readonly name?: string | undefined;
  readonly enabled: boolean;
  /** ISO 8601. */
  readonly installedAt?: string | undefined;
}

/** A directory of skills that the configuration names; whose configuration decides its level. */
export interface CustomDirectory {
  readonly path: string;
  readonly level: 'user' | 'project';
}

/** The `skills:` section of `config.yaml`, complete: defaults filled in, the project's laid over the user's. */
export interface SkillsConfig {
  /** `false` switches every skill off. */
  readonly enabled: boolean;
  readonly plugins: readonly PluginDefinition[];
  /** Absolute, as all paths here. */
  readonly pluginsDir: string;
  readonly userDir: string;
  /** Where skills go that agents write. */
  readonly agentSkillsDir: string;
  readonly disabledBundled: readonly string[];
  /** Not empty: only these bundled skills are on. */
  readonly enabledBundled: readonly string[];
  readonly scriptTimeout: number;
  readonly sandbox: SandboxPolicy;
  readonly customDirectories: readonly CustomDirectory[];
  /** Globs on the name. */
  readonly ignoredSkills: readonly string[];
  /** Globs on the name; empty means all. */
  readonly includeSkills: readonly string[];
  /** Ids of sources, or globs on them. */
  readonly disabledSources: readonly string[];
  /** Sources that are off by default and wanted. */
  readonly enabledSources: readonly string[];
  readonly enableSkillCommands: boolean;
  /** Names of skills of any source that are switched off. */
  readonly disabled: readonly string[];
  /** Skills that are off by default and wanted. */
  readonly enabledSkills: readonly string[];
  /** `false` keeps no history of use. */
  readonly usage: boolean;
}

/** The `skills:` section as one file gives it: absent settings are undefined, and paths are not yet expanded. */
export type SkillsSection = {
  readonly [Key in keyof SkillsConfig]?:
    | (Key extends 'customDirectories' ? readonly string[] : SkillsConfig[Key])
    | undefined;
};
