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

/** The `skills:` section as one file gives it: paths unexpanded, absent means not said. */
export interface SkillsSection {
  readonly enabled?: boolean | undefined;
  readonly plugins?: readonly PluginDefinition[] | undefined;
  readonly pluginsDir?: string | undefined;
  readonly userDir?: string | undefined;
  readonly agentSkillsDir?: string | undefined;
  readonly disabledBundled?: readonly string[] | undefined;
  readonly enabledBundled?: readonly string[] | undefined;
  readonly scriptTimeout?: number | undefined;
  readonly sandbox?: SandboxPolicy | undefined;
  readonly customDirectories?: readonly string[] | undefined;
  readonly ignoredSkills?: readonly string[] | undefined;
  readonly includeSkills?: readonly string[] | undefined;
  readonly disabledSources?: readonly string[] | undefined;
  readonly enabledSources?: readonly string[] | undefined;
  readonly enableSkillCommands?: boolean | undefined;
  readonly disabled?: readonly string[] | undefined;
  readonly enabledSkills?: readonly string[] | undefined;
  readonly usage?: boolean | undefined;
}
