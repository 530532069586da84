import { HOST_IDS, HOSTS, indexFiles, reportHost } from '../../hosts.ts';
import type { ReadAnswer } from '../console-context.ts';
import type { HostSight } from '../wire/skill.ts';

/** Says what each agent program on this machine makes of one skill. */
export const viewSkillInHosts: ReadAnswer<'skill/hosts'> = async ({ skills }, { name }) => {
  const found = skills.find(name);
  if (!found.ok) return found;
  const hosts = HOST_IDS.map((id) => reportHost(HOSTS[id], skills.environment))
    .filter(({ isPresent }) => isPresent)
    .map(({ host, view }): HostSight => {
      const seen = indexFiles(view)(found.skill.file);
      return {
        id: host.id,
        title: host.title,
        standing: seen?.standing ?? 'unseen',
        because: seen === undefined ? `${host.title} does not look in this folder` : (seen.because ?? null),
        remedy: seen?.remedy ?? null,
        text: seen?.text ?? '',
      };
    });
  return { ok: true, hosts };
};
