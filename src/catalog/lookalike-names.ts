import type { Diagnostic } from '../model/diagnostic.ts';
import { foldLookalikes } from '../parse/lookalikes.ts';
import { foldName } from '../parse/name-rules.ts';
import type { FoundSkill } from '../sources/scan.ts';

/** Names with letters of other scripts, or with digits that look like letters. */
const SUSPECT = /[^a-z2-9-]/;

/** Warns of each skill whose name looks like that of another: letters of other scripts, or 0 for o and 1 for l. */
export function findLookalikeNames(winners: readonly FoundSkill[]): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const holders = new Map(winners.map(({ skill }) => [foldName(skill.name), skill]));
  for (const [folded, skill] of holders) {
    const other = SUSPECT.test(folded) ? holders.get(shapeOf(folded)) : undefined;
    if (other === undefined || other === skill) continue;
    const { name, file } = skill;
    const message = `the name "${name}" looks like "${other.name}" in ${other.file}, but it is another one`;
    diagnostics.push({ code: 'NAME_LOOKALIKE', severity: 'warning', path: file, field: 'name', message });
  }
  return diagnostics;
}

function shapeOf(folded: string): string {
  return foldLookalikes(folded).toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l');
}
