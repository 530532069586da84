import { type HostConnection, type HostReport, HOST_IDS, HOSTS, reportHost } from '../../hosts.ts';
import { readEnvironment } from '../../index.ts';
import type { ExitCode, Invocation } from '../command.ts';
import type { Output } from '../output/output.ts';

/** `skillplane hosts` */
export async function run(invocation: Invocation): Promise<ExitCode> {
  if (invocation.args.length > 0) return (await import('./connect-hosts.ts')).run(invocation);
  const { cwd, env, isJson, out, renderHint } = invocation;
  const place = readEnvironment({ cwd, env });
  const reports = HOST_IDS.map((id) => reportHost(HOSTS[id], place));
  if (isJson) {
    out.json({ ok: true, hosts: reports.map(toJson) });
    return 0;
  }
  const present = reports.filter(({ isPresent }) => isPresent);
  for (const report of present) printHost(report, out);
  const absent = reports.filter(({ isPresent }) => !isPresent).map(({ host }) => host.title);
  if (absent.length > 0) out.line({ text: `Not on this machine: ${absent.join(', ')}`, style: 'dim' });
  if (present.some(({ connection }) => connection.hook === undefined))
    out.line({ text: renderHint('`hosts connect <host>` gives it the MCP server and the hook.'), style: 'dim' });
  if (present.some(({ counts }) => counts.named + counts.hidden + counts.lost > 0))
    out.line({ text: renderHint('`explain <host>` says why, and what to do.'), style: 'dim' });
  return 0;
}

function printHost({ host, program, version, folders, counts, connection }: HostReport, out: Output): void {
  const found = program === undefined ? 'its program is not on the PATH' : (version ?? 'version not known');
  out.line({ text: host.title.padEnd(LABEL_WIDTH), style: 'bold' }, found);
  out.line(INDENT, ...describeCounts(counts));
  out.line(INDENT, describeConnection(connection));
  for (const { path, skills } of folders.filter((folder) => folder.skills > 0))
    out.line(INDENT, { text: `${path} (${skills})`, style: 'dim' });
}

const LABEL_WIDTH = 13;
const INDENT = '  ';

function describeCounts({ described, named, hidden, lost }: HostReport['counts']): readonly string[] {
  const seen = described + named;
  const parts = [
    `${seen} ${seen === 1 ? 'skill' : 'skills'} seen${named > 0 ? ` (${named} by name only)` : ''}`,
    hidden > 0 && `${hidden} hidden`,
    lost > 0 && `${lost} lost`,
  ];
  return [parts.filter((part) => part !== false).join(', ')];
}

function describeConnection({ hasServer, hook, recordsUse, log }: HostConnection): string {
  const server = hasServer ? 'MCP server set up' : 'no MCP server';
  if (hook === undefined) return `${server}, no hook`;
  const asked = log.asked === 0 ? 'never asked yet' : `last asked ${when(log.asked)}`;
  const spoke = log.spoke === 0 ? 'never spoke' : `last spoke ${when(log.spoke)}`;
  const isLate = log.late > 0 && log.late === log.asked;
  const parts = [asked, ...(log.asked === 0 ? [] : [spoke]), ...(isLate ? ['too slow the last time'] : [])];
  return `${server}, hook set up (${parts.join(', ')})${recordsUse ? ', uses recorded at once' : ''}`;
}

function when(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ');
}

function toTime(at: number): string | null {
  return at === 0 ? null : new Date(at).toISOString();
}

function toJson({ host, program, version, isPresent, folders, counts, connection }: HostReport): object {
  const { hasServer, hook, recordsUse, log } = connection;
  return {
    id: host.id,
    title: host.title,
    isPresent,
    program: program ?? null,
    version: version ?? null,
    rulesSeenIn: host.seenIn,
    folders,
    counts,
    connection: {
      server: hasServer,
      hook: hook ?? null,
      recordsUse,
      asked: toTime(log.asked),
      spoke: toTime(log.spoke),
      late: toTime(log.late),
    },
  };
}
