import type { Duplicates, DuplicateSkill } from '../../index.ts';
import type { Invocation } from '../command.ts';

const HEADINGS = {
  name: 'One name, different texts',
  same: 'The same instructions',
  similar: 'Nearly the same',
} as const;

/** Prints groups of duplicates by kind, a line for each skill, and what can be done. */
export function printDuplicates(groups: readonly Duplicates[], { out, renderHint }: Invocation): void {
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
  const count = groups.length === 1 ? '1 group' : `${groups.length} groups`;
  out.line(`${count} of duplicates; ✓ is used, · is hidden by a copy with its name.`);
  out.line(renderHint('`prefer <name> <source>` chooses a copy, `disable <name>` switches a skill off.'));
}

/** Duplicates as plain data. */
export function duplicatesToJson(groups: readonly Duplicates[]): object {
  return {
    duplicates: groups.map(({ kind, skills }) => ({
      kind,
      skills: skills.map(({ skill: { name, source, dir, file, status, shadowedBy }, likeness }) => {
        return { name, source, dir, file, status, shadowedBy, likeness };
      }),
    })),
  };
}

function mark({ skill: { status, shadowedBy } }: DuplicateSkill): string {
  if (shadowedBy !== undefined) return '·';
  return status === 'enabled' ? '✓' : '○';
}

/** Rounded down: what differs at all is not 100 % the same. */
function percent({ likeness }: DuplicateSkill): string {
  return `${Math.floor(likeness * 100)} %`;
}
