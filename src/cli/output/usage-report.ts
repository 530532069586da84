import { HOSTS } from '../../hosts/all-hosts.ts';
import { findHostId } from '../../model/agents.ts';
import { displayWidth, fitToWidth } from '../../model/display-width.ts';
import { isoTime, showMinute } from '../../model/time.ts';
import type { UsageReport } from '../../usage/usage-report.ts';
import type { LearnedCount } from '../../usage/usage-store.ts';
import type { UseGroup } from '../../usage/use-groups.ts';
import type { Invocation } from '../command.ts';
import type { Output } from './output.ts';
import { drawChart, layOutTable } from './usage-table.ts';
import { wrap } from './wrap.ts';

const INDENT = '  ';
/** As many as fit on one screen with the rest. */
const MOST_SKILLS = 8;
const MOST_LINES = 2;

/** Prints a report on one screen, or all of it with `--all`. */
export function printUsage(
  report: UsageReport & { readonly learned: LearnedCount | undefined },
  since: number | undefined,
  { out, options }: Invocation,
): void {
  const isAll = options.has('all');
  const used = report.skills.filter(({ uses }) => uses > 0);
  const start = `${showMinute(isoTime(report.from))} UTC`;
  if (used.length === 0)
    out.line(since === undefined ? 'No skill has been used yet.' : `No skill has been used since ${start}.`);
  else if (since === undefined) out.line({ text: 'Skills used', style: 'bold' }, ` (charts start ${start})`);
  else out.line({ text: `Used since ${start}`, style: 'bold' });
  const listed = isAll ? used : used.slice(0, MOST_SKILLS);
  for (const row of layOutTable(listed, { columns: out.columns - INDENT.length, now: report.until }))
    out.line(INDENT, ...row);
  if (listed.length < used.length) out.line(INDENT, `and ${used.length - listed.length} more; --all lists them`);
  printFacts(report, out);
  const isShown = report.skills.some(({ shown }) => shown > 0);
  const print = (title: string, names: readonly string[]): void => printNames({ title, names, isAll }, out);
  if (isShown) {
    print('Listed but never used', report.shownNeverUsed);
    print('Never listed and never used', report.neverShown);
  } else print(since === undefined ? 'Never used' : 'Not used since then', report.neverUsed);
  print('Found in searches but never loaded', report.searchedNeverLoaded);
}

/** Who used skills, whether hints helped, what skills cost, and what was cut: a line each, if there is something to say. */
function printFacts(
  { skills, agents, cut, learned }: UsageReport & { readonly learned: LearnedCount | undefined },
  out: Output,
): void {
  const total = (count: (skill: UsageReport['skills'][number]) => number): number =>
    skills.reduce((sum, skill) => sum + count(skill), 0);
  const [uses, invoked] = [total((skill) => skill.uses), total((skill) => skill.invoked)];
  const [hinted, followed] = [total((skill) => skill.hinted), total((skill) => skill.followed)];
  const tokens = total((skill) => skill.tokens);
  const costly = skills.toSorted((a, b) => b.tokens - a.tokens)[0];
  const isOfHosts = agents.some(({ name }) => isHost(name));
  const rows: readonly (readonly [string, string] | false)[] = [
    isOfHosts && ['Agents', agents.map(({ name, uses: count }) => `${titleOf(name)} ${count}`).join(', ')],
    isOfHosts && ['Chosen', `${uses - invoked} by a model, ${invoked} by name`],
    hinted > 0 && ['Hints', `${hinted} given, ${followed} followed (${Math.round((100 * followed) / hinted)} %)`],
    tokens > 0 && [
      'Tokens',
      `${shorten(tokens)} while a skill was active; most for ${costly?.name} (${shorten(costly?.tokens ?? 0)})`,
    ],
    learned !== undefined && [
      'Learned',
      `from requests, about ${learned.skills} skills (${learned.lessons} hashed words)`,
    ],
    cut.length > 0 && ['Cut', `${cut.length} listed without description (skill list full): ${cut.join(', ')}`],
  ];
  const said = rows.filter((row) => row !== false);
  if (said.length > 0) out.line();
  const width = Math.max(0, ...said.map(([label]) => label.length)) + 2;
  for (const [label, text] of said)
    out.line({ text: label.padEnd(width), style: 'dim' }, fitToWidth(text, out.columns - width));
}

/** Prints names in lines that fit, and cuts a long list. */
function printNames(
  { title, names, isAll }: { readonly title: string; readonly names: readonly string[]; readonly isAll: boolean },
  out: Output,
): void {
  if (names.length === 0) return;
  out.line();
  out.line({ text: `${title} (${names.length})`, style: 'bold' });
  const lines = wrap(names.join(', '), out.columns - INDENT.length);
  for (const line of isAll ? lines : lines.slice(0, MOST_LINES)) out.line(INDENT, line);
  if (!isAll && lines.length > MOST_LINES) out.line(INDENT, 'and more; see all with --all');
}

const NAMELESS = 'unknown, or older than half a year';

/** Prints uses by host, project or week, each with a chart and its most used skills. */
export function printGroups(report: UsageReport, by: 'host' | 'project' | 'week', { out, options }: Invocation): void {
  const groups = { host: report.agents, project: report.projects, week: byTime(report.weeks) }[by];
  if (groups.length === 0) out.line('No skill has been used yet.');
  const listed = options.has('all') ? groups : groups.slice(0, MOST_GROUPS);
  const names = listed.map(({ name }) => (by === 'host' ? titleOf(name) : name || NAMELESS));
  const nameWidth = Math.min(LONGEST_NAME, Math.max(0, ...names.map(displayWidth)));
  const usesWidth = Math.max(0, ...listed.map(({ uses }) => String(uses).length));
  for (const [at, { uses, series, skills }] of listed.entries()) {
    const name = shortenStart(names[at] ?? '', nameWidth);
    const chart = by === 'week' ? '' : `${drawChart(series.slice(-MOST_BARS))}  `;
    const start = `${name.padEnd(nameWidth)}  ${chart}${String(uses).padStart(usesWidth)}  `;
    const most = skills.map(([skill, count]) => `${skill} ${count}`).join(', ');
    out.line({ text: start, style: 'bold' }, fitToWidth(most, out.columns - displayWidth(start)));
  }
  if (listed.length < groups.length) out.line(`and ${groups.length - listed.length} more; --all lists them`);
}

const MOST_GROUPS = 20;
const MOST_BARS = 12;
const LONGEST_NAME = 34;

function byTime(weeks: readonly UseGroup[]): readonly UseGroup[] {
  return weeks.toSorted((a, b) => (a.name < b.name ? 1 : -1));
}

/** Keeps the end of a path, which tells more. */
function shortenStart(text: string, width: number): string {
  return displayWidth(text) <= width ? text : `…${text.slice(-(width - 1))}`;
}

function isHost(agent: string): boolean {
  return findHostId(agent) !== undefined;
}

function titleOf(agent: string): string {
  const host = findHostId(agent);
  return host === undefined ? (agent === 'default' ? 'Skillplane' : agent) : HOSTS[host].title;
}

function shorten(count: number): string {
  if (count >= 1e6) return `${(count / 1e6).toFixed(1)} M`;
  return count >= 1e4 ? `${Math.round(count / 1e3)} k` : String(count);
}
