import { join } from 'node:path';

import {
  SANDBOX_POLICIES,
  type CustomDirectory,
  type SandboxPolicy,
  type SkillsConfig,
  type SkillsSection,
} from '../model/config.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Environment } from '../platform/environment.ts';

/** One file's section with its paths expanded. */
export interface ConfigLayer {
  readonly section: SkillsSection;
  readonly file: string;
}

interface MergeContext {
  readonly environment: Environment;
  readonly diagnostics: Diagnostic[];
}

/** What a cloned repository may not decide: where the user's own, trusted skills are. */
const USER_ONLY = ['plugins', 'pluginsDir', 'userDir', 'agentSkillsDir'] as const;

/**
 * The user's section with the project's laid over it. Single values and allow-lists of the project replace the
 * user's; lists that switch something off, and custom directories, add up, so that a project can never switch on
 * what its user switched off.
 */
export function mergeSections(
  user: ConfigLayer,
  project: ConfigLayer,
  { environment, diagnostics }: MergeContext,
): SkillsConfig {
  for (const field of USER_ONLY) {
    if (project.section[field] === undefined) continue;
    const message = `skills.${field} counts only in your own configuration; here it is ignored`;
    diagnostics.push({ code: 'CONFIG_IGNORED', severity: 'warning', path: project.file, field, message });
  }
  const own = user.section;
  const over = project.section;
  return {
    enabled: (own.enabled ?? true) && (over.enabled ?? true),
    plugins: own.plugins ?? [],
    pluginsDir: own.pluginsDir ?? join(environment.agentHome, 'plugins'),
    userDir: own.userDir ?? join(environment.agentHome, 'skills'),
    agentSkillsDir: own.agentSkillsDir ?? join(environment.agentHome, 'skills'),
    disabledBundled: unite(own.disabledBundled, over.disabledBundled),
    enabledBundled: over.enabledBundled ?? own.enabledBundled ?? [],
    scriptTimeout: over.scriptTimeout ?? own.scriptTimeout ?? DEFAULT_SCRIPT_TIMEOUT_MS,
    sandbox: stricter(own.sandbox ?? 'auto', over.sandbox ?? 'off'),
    customDirectories: [...atLevel(own.customDirectories, 'user'), ...atLevel(over.customDirectories, 'project')],
    ignoredSkills: unite(own.ignoredSkills, over.ignoredSkills),
    includeSkills: over.includeSkills ?? own.includeSkills ?? [],
    disabledSources: unite(own.disabledSources, over.disabledSources),
    enabledSources: unite(own.enabledSources, over.enabledSources),
    enableSkillCommands: over.enableSkillCommands ?? own.enableSkillCommands ?? true,
    disabled: unite(own.disabled, over.disabled),
    enabledSkills: unite(own.enabledSkills, over.enabledSkills),
    usage: (own.usage ?? true) && (over.usage ?? true),
  };
}

const DEFAULT_SCRIPT_TIMEOUT_MS = 60_000;

function stricter(a: SandboxPolicy, b: SandboxPolicy): SandboxPolicy {
  return SANDBOX_POLICIES.indexOf(a) < SANDBOX_POLICIES.indexOf(b) ? b : a;
}

function atLevel(paths: readonly string[] | undefined, level: CustomDirectory['level']): readonly CustomDirectory[] {
  return (paths ?? []).map((path) => ({ path, level }));
}

function unite(own: readonly string[] | undefined, over: readonly string[] | undefined): readonly string[] {
  return [...new Set([...(own ?? []), ...(over ?? [])])];
}
