import { sniffFile } from '../reading/sniff-file.ts';
import type { AuditReport, Place } from '../report.ts';
import { ARCHIVES } from '../rules/files.ts';
import type { Member, Packing } from './packing.ts';
import { listTar } from './unpack-tar.ts';
import { findZipDirectory, listZip } from './unpack-zip.ts';
import { unpack, UNPACK_LIMITS, type PackFormat, type Unpacked } from './unpack.ts';

/** Bytes of a file, or of a member of an archive; `depth` counts the archives around them. */
export interface Content {
  readonly place: Place;
  readonly bytes: Buffer;
  readonly depth: number;
}

/** What is left of the limits on unpacking; all archives of a skill share it. */
export interface UnpackBudget {
  entries: number;
  bytes: number;
}

export interface ArchiveVisit {
  readonly report: AuditReport;
  readonly budget: UnpackBudget;
  /** Called with everything that could be unpacked. */
  readonly examine: (content: Content) => void;
}

/** Looks into an archive; whatever of it is not looked into is a finding. Says whether all of it was understood. */
export function examineArchive(content: Content, label: string, visit: ArchiveVisit): boolean {
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

/** Documents and packages that are archives, and that everybody knows as such. */
function isPackedByNature({ file, member = file }: Place): boolean {
  return /\.(?:docx|xlsx|pptx|odt|ods|odp|epub|whl|vsix|nupkg|xpi|potx|dotx|skill)$/i.test(member);
}

function listZipOrNothing(bytes: Buffer): Packing {
  const directory = findZipDirectory(bytes);
  if (directory === undefined) return { members: [], faults: ['it has no directory'] };
  const { members, faults } = listZip(bytes, directory);
  return { members, faults: directory.base > 0 ? [...faults, `${directory.base} bytes stand before it`] : faults };
}

function examineGzip({ place, bytes, depth }: Content, visit: ArchiveVisit): boolean {
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

function examineMember(member: Member, { place: archive, depth }: Content, visit: ArchiveVisit): void {
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
    report.add(ARCHIVES.unknown, place, { excerpt: `${member.name} is packed in an unusual way` });
    return;
  }
  const { data, isDeflated } = member.packed;
  const unpacked = unpackWithin({ place, data, format: isDeflated ? 'deflate' : 'stored' }, visit);
  if (unpacked !== undefined) visit.examine({ place, bytes: unpacked.bytes, depth: depth + 1 });
}

interface PackedData {
  readonly place: Place;
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
      report.add(ARCHIVES.damaged, place, { excerpt: `${unpacked.rest} bytes follow what it unpacks to` });
    return unpacked;
  }
  if (unpacked.reason === 'damaged') report.add(ARCHIVES.damaged, place, { excerpt: 'it cannot be unpacked' });
  else report.add(ARCHIVES.bomb, place, { excerpt: `it unpacks to far more than its ${data.length} bytes` });
  return undefined;
}

function placeOf({ file, member }: Place, given: string): Place {
  const name =
    given.length > LONGEST_NAME ? `${given.slice(0, LONGEST_NAME / 2)}…${given.slice(-LONGEST_NAME / 2)}` : given;
  return { file, member: member === undefined ? name : `${member}!/${name}` };
}

/** Names in archives may be as long as a file. */
const LONGEST_NAME = 512;

function leavesFolder(name: string): boolean {
  return /^[/\\]|^[a-z]:|\\/i.test(name) || name.split('/').includes('..');
}
