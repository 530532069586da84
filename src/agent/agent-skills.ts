import { isByAgent } from '../catalog/view.ts';
import type { Skills } from '../engine/open-skills.ts';

/** The same skills, as if there were only those that agents wrote. */
export function onlyByAgents<T extends Pick<Skills, 'catalog'>>(skills: T): T {
  return {
    ...skills,
    catalog() {
      const catalog = skills.catalog();
      return { ...catalog, skills: catalog.skills.filter(isByAgent) };
    },
  };
}
