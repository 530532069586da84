import { type HostReport, HOST_IDS, HOSTS, reportHost } from '../../hosts.ts';
import { readEnvironment } from '../../index.ts';
import type { ExitCode, Invocation } from '../command.ts';
import type { Output } from '../output/output.ts';

/** `skillplane hosts` */
export async function run({ cwd, isJson, out, renderHint }: Invocation): Promise<ExitCode> {
  const place = readEnvironment({ cwd });
  const reports = HOST_IDS.map((id) => reportHost(HOSTS[id], place));
  if (isJson) {
    out.json({ ok: true, hosts: reports.map(toJson) });
    return 0;
  }
  const present = reports.filter(({ isPresent }) => isPresent);
  for (const report of present) printHost(report, out);
  const absent = reports.filter(({ isPresent }) => !isPresent).map(({ host }) => host.title);
  if (absent.length > 0) out.line({ text: `Not on this machine: ${absent.join(', ')}`, style: 'dim' });
  if (present.some(({ counts }) => counts.named + counts.hidden + counts.lost > 0))
    out.line({ text: renderHint('`explain <host>` says why, and what to do.'), style: 'dim' });
  return 0;
}

function printHost({ host, program, version, folders, counts }: HostReport, out: Output): void {
  const found = program === undefined ? 'its program is not on the PATH' : (version ?? 'version not known');
  out.line({ text: host.title.padEnd(LABEL_WIDTH), style: 'bold' }, found);
  out.line(INDENT, ...describeCounts(counts));
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

function toJson({ host, program, version, isPresent, folders, counts }: HostReport): object {
  return {
    id: host.id,
    title: host.title,
    isPresent,
    program: program ?? null,
    version: version ?? null,
    rulesSeenIn: host.seenIn,
    folders,
    counts,
  };
}
