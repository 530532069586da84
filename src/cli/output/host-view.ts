import type { HostView, SeenSkill, Standing } from '../../hosts/seeing/view-host.ts';
import { fitToWidth } from '../../model/display-width.ts';
import type { Invocation } from '../command.ts';
import type { Output, Piece } from './output.ts';

const SYMBOLS: Readonly<Record<Standing, Piece>> = {
  described: { text: '✓', style: 'green' },
  named: { text: '~', style: 'yellow' },
  hidden: { text: '○', style: 'dim' },
  lost: { text: '✗', style: 'red' },
};

const WORDS: Readonly<Record<Standing, string>> = {
  described: 'listed with description',
  named: 'listed by name only',
  hidden: 'hidden from the model',
  lost: 'not visible to the model',
};

type Context = Pick<Invocation, 'out' | 'sayNext'>;

const STANDINGS: readonly Standing[] = ['described', 'named', 'hidden', 'lost'];
const INDENT = '  ';
const MOST_GROUPS = 5;

/** Prints an agent's skill list on one screen: skills with the same reason share a line. */
export function printHostView(view: HostView, context: Context): void {
  const { out } = context;
  const { host, room, faults, skills } = view;
  const rules = host.seenIn === undefined ? 'only its folders are known' : `checked against ${host.seenIn}`;
  out.line({ text: host.title, style: 'bold' }, ` (${rules})`);
  if (room !== undefined) {
    const state = room.needed <= room.limit ? 'Skill list' : 'Skill list too long';
    const [needed, limit] = [room.needed, room.limit].map((count) => count.toLocaleString('en-US'));
    out.line(`${state}: ${needed} of ${limit} ${room.unit} (${room.because})`);
  }
  for (const fault of faults) printReason(fault, context);
  for (const standing of STANDINGS) printStanding(standing, skills, context);
  if (skills.length === 0) out.line(`${host.title} finds no skills.`);
  if (host.builtIn.length > 0)
    out.line({ text: `Built in (${host.builtIn.length}): ${fit(host.builtIn.join(', '), out)}`, style: 'dim' });
}

function printStanding(standing: Standing, skills: readonly SeenSkill[], context: Context): void {
  const { out } = context;
  const members = skills.filter((seen) => seen.standing === standing);
  if (members.length === 0) return;
  out.line(SYMBOLS[standing], ` ${members.length} ${WORDS[standing]}`);
  const groups = [...Map.groupBy(members, ({ because = '' }) => because)];
  for (const [because, group] of groups.slice(0, MOST_GROUPS)) {
    out.line(INDENT, { text: fit(group.map(({ skill }) => skill.name).join(', '), out), style: 'bold' });
    if (because !== '') printReason({ because, next: group[0]?.next }, context);
  }
  const rest = groups.slice(MOST_GROUPS).flatMap(([, group]) => group);
  if (rest.length > 0) out.line(INDENT, { text: `${rest.length} more; see --json`, style: 'dim' });
}

function printReason(
  { because, next }: Pick<SeenSkill, 'because' | 'next'>,
  { out, sayNext }: Context,
  indent = INDENT.repeat(2),
): void {
  if (because !== undefined) out.line(indent, because);
  if (next !== undefined) out.line(indent, { text: `→ ${sayNext(next)}`, style: 'cyan' });
}

function fit(text: string, { columns }: Output): string {
  return fitToWidth(text, columns - INDENT.length - 12);
}

/** Prints how an agent lists one skill. */
export function printSeenSkill(seen: SeenSkill, { host, skills }: HostView, context: Context): void {
  const { out } = context;
  const { skill, label = skill.name, standing, text } = seen;
  out.line(SYMBOLS[standing], ' ', { text: label, style: 'bold' }, `  ${WORDS[standing]}`);
  out.line(INDENT, { text: skill.file, style: 'dim' });
  if (standing === 'described' || standing === 'named') {
    const listed = skills.filter((each) => each.standing === 'described' || each.standing === 'named');
    const place = `number ${listed.indexOf(seen) + 1} of ${listed.length} in its list`;
    const { length } = skill.description;
    out.line(INDENT, text.length < length ? `${place}, with ${text.length} of ${length} characters` : place);
  }
  for (const rival of skill.rivals ?? [])
    out.line(INDENT, `Also in ${rival}. ${host.title} picks one at random; rename or remove the others.`);
  printReason(seen, context, INDENT);
}
