import type { ArchiveMember, ArchiveListing } from '../../parse/archives/archive-members.ts';
import { listTar } from '../../parse/archives/list-tar.ts';
import { findZipDirectory, listZip } from '../../parse/archives/list-zip.ts';
import { unpack, UNPACK_LIMITS, type PackFormat, type Unpacked } from '../../parse/archives/unpack.ts';
import { sniffFile } from '../reading/sniff-file.ts';
import type { AuditReport, FindingPlace } from '../report.ts';
import { ARCHIVES } from '../rules/files.ts';

/** The bytes of a file or of a member of an archive; `depth` counts the archives around it. */
export interface AuditedContent {
  readonly place: FindingPlace;
  readonly bytes: Buffer;
  readonly depth: number;
  /** The file is run, whatever its name says. */
  readonly isRun?: boolean;
}

/** The rest of the limits on unpacking; shared by all archives of a skill. */
export interface UnpackBudget {
  entries: number;
  bytes: number;
}

export interface ArchiveVisit {
  readonly report: AuditReport;
  readonly budget: UnpackBudget;
  /** Called with every unpacked member. */
  readonly examine: (content: AuditedContent) => void;
}

/** Examines the members of an archive and reports those it cannot read. Returns whether it could read all of it. */
export function examineArchive(content: AuditedContent, label: string, visit: ArchiveVisit): boolean {
  const { place, bytes, depth } = content;
  const { report } = visit;
  if (!isPackedByNature(place)) report.add(depth > 0 ? ARCHIVES.nested : ARCHIVES.archive, place, { excerpt: label });
  if (depth >= UNPACK_LIMITS.depth) {
    report.add(ARCHIVES.bomb, place, { excerpt: `archives are nested deeper than ${UNPACK_LIMITS.depth}` });
    return false;
  }
  if (label === 'gzip archive') return examineGzip(content, visit);
  const packing = label === 'tar archive' ? listTar(bytes) : listZipOrNothing(bytes);
  for (const fault of packing.faults) report.add(ARCHIVES.damaged, place, { excerpt: fault });
  for (const member of packing.members) examineMember(member, content, visit);
  return packing.faults.length === 0;
}

/** Documents and packages that are archives by definition. */
function isPackedByNature({ file, member = file }: FindingPlace): boolean {
  return /\.(?:docx|xlsx|pptx|odt|ods|odp|epub|whl|vsix|nupkg|xpi|potx|dotx|skill)$/i.test(member);
}

function listZipOrNothing(bytes: Buffer): ArchiveListing {
  const directory = findZipDirectory(bytes);
  if (directory === undefined) return { members: [], faults: ['the archive has no directory'] };
  const { members, faults } = listZip(bytes, directory);
  return { members, faults: directory.base > 0 ? [...faults, `${directory.base} bytes precede the archive`] : faults };
}

function examineGzip({ place, bytes, depth }: AuditedContent, visit: ArchiveVisit): boolean {
  const unpacked = unpackWithin({ place, data: bytes, format: 'gzip' }, visit);
  if (unpacked === undefined) return false;
  const name = (place.member ?? place.file).replace(/^.*[/!]/, '').replace(/\.t?gz$/i, '');
  if (sniffFile(unpacked.bytes)?.label !== 'tar archive') {
    visit.examine({ place: placeOf(place, name), bytes: unpacked.bytes, depth: depth + 1 });
    return unpacked.rest === 0;
  }
  const { members, faults } = listTar(unpacked.bytes);
  for (const fault of faults) visit.report.add(ARCHIVES.damaged, place, { excerpt: fault });
  for (const member of members) examineMember(member, { place, bytes: unpacked.bytes, depth }, visit);
  return faults.length === 0 && unpacked.rest === 0;
}

function examineMember(member: ArchiveMember, { place: archive, depth }: AuditedContent, visit: ArchiveVisit): void {
  const { report, budget } = visit;
  const place = placeOf(archive, member.name);
  budget.entries -= 1;
  if (budget.entries === -1)
    report.add(ARCHIVES.bomb, archive, { excerpt: `more than ${UNPACK_LIMITS.entries} entries` });
  if (budget.entries < 0) return;
  if (member.isLink) report.add(ARCHIVES.escape, place, { excerpt: `${member.name} is a link or a special file` });
  if (leavesFolder(member.name)) report.add(ARCHIVES.escape, place, { excerpt: member.name });
  if (member.isLocked) report.add(ARCHIVES.locked, place, { excerpt: `${member.name} needs a password` });
  if (member.isLocked || member.isFolder || member.isLink) return;
  if (member.packed === undefined) {
    report.add(ARCHIVES.unknown, place, { excerpt: `${member.name} uses an unsupported compression method` });
    return;
  }
  const { data, isDeflated } = member.packed;
  const unpacked = unpackWithin({ place, data, format: isDeflated ? 'deflate' : 'stored' }, visit);
  if (unpacked !== undefined) visit.examine({ place, bytes: unpacked.bytes, depth: depth + 1 });
}

interface PackedData {
  readonly place: FindingPlace;
  readonly data: Buffer;
  readonly format: PackFormat;
}

function unpackWithin(
  { place, data, format }: PackedData,
  { report, budget }: ArchiveVisit,
): Extract<Unpacked, { readonly ok: true }> | undefined {
  const unpacked = unpack(data, { format, most: Math.min(budget.bytes, UNPACK_LIMITS.entryBytes) });
  if (unpacked.ok) {
    budget.bytes -= unpacked.bytes.length;
    if (unpacked.rest > 0)
      report.add(ARCHIVES.damaged, place, { excerpt: `${unpacked.rest} bytes follow the packed data` });
    return unpacked;
  }
  if (unpacked.kind === 'damaged') report.add(ARCHIVES.damaged, place, { excerpt: 'the data cannot be unpacked' });
  else report.add(ARCHIVES.bomb, place, { excerpt: `${data.length} bytes unpack to more than the limit` });
  return undefined;
}

function placeOf({ file, member }: FindingPlace, given: string): FindingPlace {
  const name =
    given.length > LONGEST_NAME ? `${given.slice(0, LONGEST_NAME / 2)}…${given.slice(-LONGEST_NAME / 2)}` : given;
  return { file, member: member === undefined ? name : `${member}!/${name}` };
}

/** Names in archives can have any length. */
const LONGEST_NAME = 512;

function leavesFolder(name: string): boolean {
  return /^[/\\]|^[a-z]:|\\/i.test(name) || name.split('/').includes('..');
}
