import type { Catalog } from '../../catalog/catalog.ts';
import { checkScan } from '../../engine/doctor/check-scan.ts';
import { openSkills } from '../../engine/open-skills.ts';
import { HOSTS, listPresentAgents } from '../../hosts/all-hosts.ts';
import { HOST_IDS } from '../../model/agents.ts';
import { plural } from '../../model/plural.ts';
import type { SkillStatus } from '../../model/skill.ts';
import { VERSION } from '../../model/version.ts';
import { readEnvironment } from '../../platform/environment.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { joinNames } from '../output/agent-facts.ts';
import { printDailyCommands } from '../output/help.ts';
import { wrap } from '../output/wrap.ts';

/** `skillplane` alone: what is here, and the commands of every day. */
export async function run({
  io,
  isJson,
  out,
  commands,
}: Pick<Invocation, 'io' | 'isJson' | 'out' | 'commands'>): Promise<ExitCode> {
  const place = { cwd: io.cwd, env: io.env };
  await using engine = await openSkills(place);
  const catalog = engine.catalog();
  const skills = countSkills(catalog);
  const agents = listPresentAgents(readEnvironment(place)).map(({ id, title }) => ({ id, title }));
  // Only problems from the scan, to be as fast as `show`; `doctor` checks the rest.
  const problems = checkScan(catalog).filter(({ status }) => status === 'error' || status === 'warning').length;
  if (isJson) {
    out.json({ ok: true, version: VERSION, skills, agents, problems });
    return 0;
  }
  const rows = [
    describeSkills(skills),
    describeAgents(agents),
    ...(problems === 0 ? [] : [describeProblems(problems)]),
  ];
  const width = Math.max(...rows.map(([term]) => term.length));
  out.line({ text: `Skillplane ${VERSION}`, style: 'bold' });
  out.line();
  for (const [term, text] of rows) {
    const [first = '', ...others] = wrap(text, out.columns - width - INDENT.length - GAP.length);
    out.line(INDENT, { text: term.padEnd(width), style: 'bold' }, `${GAP}${first}`);
    for (const line of others) out.line(' '.repeat(INDENT.length + width + GAP.length), line);
  }
  out.line();
  printDailyCommands(commands, out);
  return 0;
}

const INDENT = '  ';
const GAP = '   ';

type Row = readonly [term: string, text: string];

function countSkills({ skills }: Catalog): Readonly<Partial<Record<SkillStatus, number>>> {
  const counts = new Map<SkillStatus, number>();
  for (const { status } of skills) counts.set(status, (counts.get(status) ?? 0) + 1);
  return Object.fromEntries(counts);
}

function describeSkills(counts: Readonly<Partial<Record<SkillStatus, number>>>): Row {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (all === 0) return ['No skills yet', 'Install some with `skillplane install owner/repo`.'];
  const order: readonly SkillStatus[] = ['enabled', 'disabled', 'unavailable', 'broken'];
  const parts = order.flatMap((status) => (counts[status] === undefined ? [] : [`${counts[status]} ${status}`]));
  return [plural(all, 'skill'), parts.join(', ')];
}

function describeAgents(agents: readonly { readonly title: string }[]): Row {
  if (agents.length === 0)
    return ['No agents yet', `Skillplane knows ${joinNames(HOST_IDS.map((id) => HOSTS[id].title))}.`];
  const titles = agents.map(({ title }) => title).join(', ');
  return [plural(agents.length, 'agent'), titles];
}

function describeProblems(count: number): Row {
  return [plural(count, 'problem'), `See ${count === 1 ? 'it' : 'them'} with \`skillplane doctor\`.`];
}
