import { plural } from '../../model/plural.ts';
import type { Duplicates, DuplicateSkill } from '../../select/find-duplicates.ts';
import type { Invocation } from '../command.ts';
import { printedSkill } from './printed-skill.ts';

const HEADINGS = {
  name: 'One name, different texts',
  same: 'The same instructions',
  similar: 'Near duplicates',
} as const;

/** Prints groups of duplicates by kind, a line for each skill, and what can be done. */
export function printDuplicates(groups: readonly Duplicates[], { out }: Invocation): void {
  if (groups.length === 0) return out.line('No duplicates.');
  for (const [kind, members] of Map.groupBy(groups, (group) => group.kind)) {
    out.line({ text: HEADINGS[kind], style: 'bold' });
    for (const { skills } of members) {
      out.line('  ', [...new Set(skills.map(({ skill }) => skill.name))].join(', '));
      for (const [at, one] of skills.entries())
        out.line('    ', mark(one), ` ${one.skill.dir} (${one.skill.source})`, {
          text: at === 0 || kind === 'same' ? '' : `  ${percent(one)} the same as the first`,
          style: 'dim',
        });
    }
    out.line();
  }
  out.line(`${plural(groups.length, 'group')} of duplicates; ✓ is in use, · is not used.`);
  out.line(
    'Choose a copy with `skillplane manage prefer <name> <source>`, or turn a skill off with `skillplane disable <name>`.',
  );
}

/** A group as `--json` prints it. */
export function printedGroup({ kind, skills }: Duplicates): object {
  return { kind, skills: skills.map(({ skill, likeness }) => ({ ...printedSkill(skill), likeness })) };
}

function mark({ skill: { status, shadowedBy } }: DuplicateSkill): string {
  if (shadowedBy !== undefined) return '·';
  return status === 'enabled' ? '✓' : '○';
}

/** Rounded down: what differs at all is not 100 % the same. */
function percent({ likeness }: DuplicateSkill): string {
  return `${Math.floor(likeness * 100)} %`;
}
