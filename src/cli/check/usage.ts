import type { UsageReport } from '../../index.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { parseSince } from '../input/since.ts';
import { openEngine } from '../open-engine.ts';
import { diagnosticLine } from '../output/diagnostics.ts';
import { reportFailure } from '../output/failure.ts';
import type { Output } from '../output/output.ts';
import { layOutTable } from '../output/usage-table.ts';
import { wrap } from '../output/wrap.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { options, isJson, out } = invocation;
  const until = Date.now();
  const since = options.parsed('since', (text) => parseSince(text, until), ACCEPTED_TIMES);
  await using engine = await openEngine(invocation);
  const reported = await engine.usageReport({ since, until, skill: options.text('skill') });
  for (const diagnostic of engine.usage.diagnostics()) out.note(...diagnosticLine(diagnostic));
  if (!reported.ok) return reportFailure(invocation, reported);
  const { report } = reported;
  if (report === undefined) out.note('No usage history: the configuration turns it off or cannot be read.');
  if (isJson) out.json({ ok: true, since: toIso(since), ...toJson(report) });
  else if (report !== undefined) printReport(report, since, out);
  return 0;
}

const ACCEPTED_TIMES = '30m, 12h, 7d, 4w, or a past date such as 2026-01-31 or 2026-01-31T10:00Z';

function toIso(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}

function toJson(report: UsageReport | undefined): object {
  if (report === undefined) return { skills: [], neverUsed: [], searchedNeverLoaded: [] };
  const { skills, neverUsed, searchedNeverLoaded } = report;
  return {
    skills: skills.map((skill) => ({ ...skill, lastUsed: toIso(skill.lastUsed) })),
    neverUsed,
    searchedNeverLoaded,
  };
}

function printReport(report: UsageReport, since: number | undefined, out: Output): void {
  const { skills, neverUsed, searchedNeverLoaded, from, until } = report;
  const used = skills.filter(({ uses }) => uses > 0);
  const start = `${new Date(from).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  if (used.length === 0)
    out.line(since === undefined ? 'No skill was used so far.' : `No skill was used since ${start}.`);
  else if (since === undefined) out.line({ text: 'Used so far', style: 'bold' }, ` (charts begin at ${start})`);
  else out.line({ text: `Used since ${start}`, style: 'bold' });
  for (const row of layOutTable(used, { columns: out.columns - INDENT.length, now: until })) out.line(INDENT, ...row);
  printNames(since === undefined ? 'Never used' : 'Not used since then', neverUsed, out);
  printNames('Found by searches, but never loaded', searchedNeverLoaded, out);
}

const INDENT = '  ';
const MOST_LINES = 10;

/** Prints names in lines that fit, and cuts a long list. */
function printNames(title: string, names: readonly string[], out: Output): void {
  if (names.length === 0) return;
  out.line();
  out.line({ text: `${title} (${names.length})`, style: 'bold' });
  const lines = wrap(names.join(', '), out.columns - INDENT.length);
  for (const line of lines.slice(0, MOST_LINES)) out.line(INDENT, line);
  if (lines.length > MOST_LINES) out.line(INDENT, 'and more; --json lists all');
}
