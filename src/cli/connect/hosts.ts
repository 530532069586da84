import { readAgentDefault } from '../../engine/agent-wishes.ts';
import { reportAgents, viewFolderAgents } from '../../engine/present-agents.ts';
import type { HostConnection } from '../../hosts/connecting/read-connection.ts';
import { countStandings, type HostReport } from '../../hosts/seeing/host-report.ts';
import { AGENTS } from '../../model/agents.ts';
import { fitToWidth } from '../../model/display-width.ts';
import { plural } from '../../model/plural.ts';
import { showMinute } from '../../model/time.ts';
import { readEnvironment } from '../../platform/environment.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { WrongUsage } from '../input/options.ts';
import { joinNames } from '../output/agent-facts.ts';
import type { Output } from '../output/output.ts';
import { wrap } from '../output/wrap.ts';

/** `skillplane agents` */
export async function run(invocation: Invocation): Promise<ExitCode> {
  const {
    args: [action],
    cwd,
    env,
    isJson,
    out,
  } = invocation;
  if (action !== undefined)
    throw new WrongUsage(`unknown action "${action}"`, 'Actions of agents: explain, connect, disconnect, set.');
  const environment = readEnvironment({ cwd, env });
  const reports = reportAgents(environment);
  const { agents } = readAgentDefault(environment);
  if (isJson) {
    out.json({ ok: true, agents, hosts: reports });
    return 0;
  }
  const present = reports.filter(({ isPresent }) => isPresent);
  for (const report of present) printHost(report, out);
  for (const view of viewFolderAgents(environment))
    printLine(view.host.title, 'folder only', countStandings(view), out);
  const absent = reports.filter(({ isPresent }) => !isPresent).map(({ title }) => title);
  if (absent.length > 0) out.line({ text: `Not found: ${absent.join(', ')}`, style: 'dim' });
  out.line();
  const titles = agents.map((id) => AGENTS[id].title);
  const goal = titles.length === 0 ? 'Your skills go to no agent yet.' : `Your skills go to ${joinNames(titles)}.`;
  for (const line of wrap(`${goal} Change it with \`skillplane agents set\`.`, out.columns)) out.line(line);
  for (const { id, title, counts } of present.filter((report) => report.counts.lost > 0))
    out.line(`See why ${title} misses ${plural(counts.lost, 'skill')} with \`skillplane agents explain ${id}\`.`);
  if (present.some(({ connection }) => connection.hook === undefined))
    out.line('Connect one with `skillplane agents connect <agent>`.');
  return 0;
}

const TITLE_WIDTH = 14;
const STATE_WIDTH = 17;
const INDENT = '  ';
const MOST_REASONS = 3;
const MOST_NAMES_WIDTH = 40;

/** One line for each agent, and below it what keeps skills from its model, most common first. */
function printHost({ title, program, counts, connection, reasons }: HostReport, out: Output): void {
  printLine(title, describeState(connection), counts, out);
  for (const { standing, because, skills } of reasons.slice(0, MOST_REASONS)) {
    const names = fitToWidth(skills.join(', '), MOST_NAMES_WIDTH);
    const text = `${skills.length} ${STANDING_WORDS[standing]} (${names}): ${because}`;
    out.line(INDENT, { text: fitToWidth(text, out.columns - INDENT.length), style: 'dim' });
  }
  if (program === undefined) out.line(INDENT, { text: 'program not found on the PATH', style: 'dim' });
  const hook = describeHook(connection);
  if (hook !== undefined) out.line(INDENT, { text: hook, style: 'dim' });
}

function printLine(title: string, state: string, counts: HostReport['counts'], out: Output): void {
  out.line(
    { text: title.padEnd(TITLE_WIDTH), style: 'bold' },
    { text: state.padEnd(STATE_WIDTH), style: state === 'connected' ? 'green' : 'dim' },
    describeCounts(counts),
  );
}

const STANDING_WORDS = { described: 'listed', named: 'by name only', hidden: 'hidden', lost: 'not visible' } as const;

function describeCounts({ described, named, hidden, lost }: HostReport['counts']): string {
  const parts = [
    `${plural(described + named, 'skill')} listed`,
    named > 0 && `${named} by name only`,
    hidden > 0 && `${hidden} hidden`,
    lost > 0 && `${lost} not visible`,
  ];
  return parts.filter((part) => part !== false).join(', ');
}

function describeState({ hasServer, hook }: HostConnection): string {
  if (hasServer) return hook === undefined ? 'MCP server only' : 'connected';
  return hook === undefined ? 'not connected' : 'hook only';
}

function describeHook({ hook, recordsUse, log }: HostConnection): string | undefined {
  if (hook === undefined) return undefined;
  const use = recordsUse ? ', records use immediately' : '';
  if (log.asked === undefined) return `hook installed, not called yet${use}`;
  const spoke = log.spoke === undefined ? 'no suggestion yet' : `last suggestion ${showMinute(log.spoke)}`;
  const late = log.late !== undefined && log.late === log.asked ? ', timed out the last time' : '';
  return `hook last called ${showMinute(log.asked)}, ${spoke}${late}${use}`;
}
