import type { SkillView } from '../catalog/view.ts';
import type { HostView } from '../hosts/seeing/view-host.ts';
import type { HostId } from '../model/agents.ts';
import { realPath } from '../platform/files/files.ts';
import type { Skills } from './open-skills.ts';
import { perScan } from './skill-scope.ts';

/**
 * The same engine without the skills that an agent reads from its own folders, by file or by name, so that nothing is
 * offered twice. Skills disabled in the agent are also left out; those it misses, such as a hidden copy, are not.
 */
export async function beyondHost(skills: Skills, host: HostId): Promise<Skills> {
  const [{ HOSTS }, { viewHost }] = await Promise.all([
    import('../hosts/all-hosts.ts'),
    import('../hosts/seeing/view-host.ts'),
  ]);
  const viewNow = perScan(skills.catalog, () => openView(viewHost(HOSTS[host], skills.environment)));
  return skills.only((skill) => viewNow()(skill));
}

function openView({ host: { naming }, skills }: HostView): SkillView {
  const seen = skills.filter(({ standing }) => standing !== 'lost').map(({ skill }) => skill);
  const names = new Set(seen.map(({ name }) => name));
  const files = new Set(seen.map(({ realFile }) => realFile));
  return ({ id, name, file }) => !names.has(naming === 'directory' ? id : name) && !files.has(realPath(file) ?? file);
}
