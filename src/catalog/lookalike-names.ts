import type { Diagnostic } from '../model/diagnostic.ts';
import type { Skill } from '../model/skill.ts';
import { foldLookalikes } from '../parse/lookalikes.ts';
import { foldName } from '../parse/name-rules.ts';

/** Names with letters of other scripts, or with digits that look like letters. */
const SUSPECT = /[^a-z2-9-]/i;

/** Warns of each skill whose name looks like that of another: letters of other scripts, or 0 for o and 1 for l. */
export function findLookalikeNames(skills: readonly Skill[]): readonly Diagnostic[] {
  const suspects = skills.filter(({ name }) => SUSPECT.test(name));
  if (suspects.length === 0) return [];
  const byName = new Map(skills.map((skill) => [foldName(skill.name), skill]));
  return suspects.flatMap(({ name, file }) => {
    const meant = byName.get(shapeOf(name));
    if (meant === undefined || foldName(meant.name) === foldName(name)) return [];
    const message = `the name "${name}" looks like "${meant.name}" in ${meant.file}, but it is another one`;
    return [{ code: 'NAME_LOOKALIKE', severity: 'warning', path: file, field: 'name', message }];
  });
}

function shapeOf(name: string): string {
  return foldLookalikes(foldName(name)).toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l');
}
