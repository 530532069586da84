import { basename, dirname } from 'node:path';

import { realPath } from '../../platform/files/files.ts';
import type { HostView, SeenSkill } from './view-host.ts';

/** What a host makes of the skills of a name: by its own name, the name in the file, or the folder's. */
export function findInView({ skills }: HostView, name: string): readonly SeenSkill[] {
  const names = ({ skill }: SeenSkill): readonly (string | undefined)[] => [
    skill.name,
    skill.title,
    skill.name.split(':').at(-1),
    basename(dirname(skill.file)),
  ];
  const exact = skills.filter(({ skill }) => skill.name === name);
  return exact.length > 0 ? exact : skills.filter((seen) => names(seen).includes(name));
}

/** What a host makes of one file; undefined if it does not come across it. */
export function findFileInView({ skills }: HostView, file: string): SeenSkill | undefined {
  const real = realPath(file) ?? file;
  const same = skills.filter(({ skill }) => (realPath(skill.file) ?? skill.realFile) === real);
  return same.find(({ standing }) => standing !== 'lost') ?? same[0];
}
