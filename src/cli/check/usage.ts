import type { Skills } from '../../engine/open-skills.ts';
import type { HistoryImport } from '../../hosts/history/import-history.ts';
import { plural } from '../../model/plural.ts';
import { isoTime } from '../../model/time.ts';
import { readEnvironment } from '../../platform/environment.ts';
import { reportUse } from '../../publish/hub/report-use.ts';
import { adviseOnUsage } from '../../usage/advice.ts';
import type { UsageReport } from '../../usage/usage-report.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { readKnownHost } from '../input/host-argument.ts';
import { WrongUsage } from '../input/options.ts';
import { parseSince } from '../input/since.ts';
import { openEngine } from '../open-engine.ts';
import { diagnosticLine } from '../output/diagnostics.ts';
import { reportFailure } from '../output/failure.ts';
import { printAdvice, printImport } from '../output/usage-advice.ts';
import { printGroups, printUsage } from '../output/usage-report.ts';
import { withDate } from '../output/usage-table.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { options, args, isJson, out } = invocation;
  const until = Date.now();
  const since = options.parsed('since', (text) => parseSince(text, until), ACCEPTED_TIMES);
  const by = options.oneOf('by', ['agent', 'host', 'project', 'week']);
  const group = by === 'agent' ? 'host' : by;
  if (args.length > 0 && !options.has('import')) throw new WrongUsage('agent names only work with --import');
  await using engine = await openEngine(invocation);
  if (options.has('import')) return await importNow(engine, invocation);
  if (options.has('send')) return await sendNow(engine, invocation);
  if (options.has('forget')) return await forget(engine, invocation);
  const reported = await engine.usageReport({ since, until, skill: options.text('skill') });
  for (const diagnostic of engine.usage.diagnostics()) out.note(...diagnosticLine(diagnostic));
  if (!reported.ok) return reportFailure(invocation, reported);
  const { report, imported, learned } = reported;
  if (report === undefined) out.note(NOT_KEPT);
  noteLeft(imported, invocation);
  if (options.has('advise')) advise(report, engine, invocation);
  else if (isJson) out.json({ ok: true, ...(report && withDates(report)), learned });
  else if (report !== undefined && group !== undefined) printGroups(report, group, invocation);
  else if (report !== undefined) printUsage({ ...report, learned }, since, invocation);
  return 0;
}

const ACCEPTED_TIMES = '30m, 12h, 7d, 4w, or a past date such as 2026-01-31 or 2026-01-31T10:00Z';
const NOT_KEPT = 'Usage history is off, or config.yaml cannot be read.';

async function forget(engine: Skills, invocation: Invocation): Promise<ExitCode> {
  const { options, isJson, out } = invocation;
  const name = options.text('skill');
  const found = name === undefined ? undefined : engine.find(name);
  const done = await engine.usage.forget(found?.ok === true ? found.skill.name : name);
  if (!done.ok) return reportFailure(invocation, done);
  const { skills, lessons } = done;
  if (isJson) out.json({ ok: true, forgotten: { skills, lessons } });
  else if (lessons === 0) out.line('Nothing to forget.');
  else out.line(`Forgot ${plural(lessons, 'lesson')} about ${plural(skills, 'skill')}.`);
  return 0;
}

async function importNow(engine: Skills, invocation: Invocation): Promise<ExitCode> {
  const { args, isJson, out } = invocation;
  const hosts = args.map((name) => readKnownHost(name).id);
  out.status('Reading transcripts');
  const done = await engine.importHistory(hosts.length === 0 ? {} : { hosts });
  if (!done.ok) return reportFailure(invocation, done);
  if (done.imported === undefined) out.note(NOT_KEPT);
  if (isJson) out.json({ ok: true, ...(done.imported ?? { hosts: [], added: 0 }) });
  else if (done.imported !== undefined) printImport(done.imported, out);
  return 0;
}

/** Takes in what is new in the transcripts first. */
async function sendNow(engine: Skills, invocation: Invocation): Promise<ExitCode> {
  const { isJson, out, cwd, env } = invocation;
  await engine.usageReport();
  const done = await reportUse(engine.usage, readEnvironment({ cwd, env }));
  if (!done.ok) return reportFailure(invocation, done);
  if (isJson) out.json(done);
  else if (done.reports.length === 0) out.line('You are not logged in to a hub.');
  else
    for (const { hub, sent, left, problem } of done.reports)
      out.line(
        `${hub}: ${sent} counts sent${left === 0 ? '' : `, ${left} left for next time`}${problem === undefined ? '' : ` (${problem})`}.`,
      );
  return done.reports.some(({ problem }) => problem !== undefined) ? 1 : 0;
}

/** Reports how much a limited import has not read yet. */
function noteLeft(imported: HistoryImport | undefined, { out }: Invocation): void {
  const left = imported?.hosts.reduce((sum, host) => sum + host.left, 0) ?? 0;
  const files = plural(left, 'transcript is', 'transcripts are');
  if (left > 0) out.note(`${files} not read yet. Read them all with \`skillplane usage --import\`.`);
}

function advise(report: UsageReport | undefined, engine: Skills, { isJson, out }: Invocation): void {
  const { skills } = engine.catalog();
  const files = new Map(skills.map(({ name, file }) => [name, file]));
  const advice = (report === undefined ? [] : adviseOnUsage(report, skills)).map((entry) => ({
    ...entry,
    file: files.get(entry.skill) ?? '',
  }));
  if (isJson) out.json({ ok: true, advice });
  else printAdvice(advice, { out });
}

function withDates({ from, until, skills, ...rest }: UsageReport): object {
  return { from: isoTime(from), until: isoTime(until), skills: skills.map(withDate), ...rest };
}
