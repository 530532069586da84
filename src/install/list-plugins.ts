import { openCatalog } from '../catalog/open-catalog.ts';
import { openTrust } from '../catalog/trust.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Skill } from '../model/skill.ts';
import type { InstalledPlugin } from './installer.ts';
import { openInstaller, type InstallerSettings } from './open-installer.ts';

export interface PluginListing extends InstalledPlugin {
  /** As the catalog has it; absent where its folder gives none. */
  readonly skill: Skill | undefined;
  readonly isTrusted: boolean;
}

/** What is installed, with what became of it. */
export async function listPlugins(
  settings: InstallerSettings = {},
): Promise<Outcome<{ readonly plugins: readonly PluginListing[]; readonly lockFile: string }>> {
  const listed = await openInstaller(settings).list();
  if (!listed.ok) return listed;
  await using catalog = await openCatalog(settings);
  const trust = openTrust(catalog.environment.agentHome);
  const plugins = listed.plugins.map((plugin) => {
    const skill = catalog.copies().find(({ dir }) => dir === plugin.dir);
    return { ...plugin, skill, isTrusted: skill !== undefined && trust.judge(skill).ok };
  });
  return { ok: true, plugins, lockFile: listed.place.lockFile };
}
