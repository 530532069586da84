import { examineArchive, type ArchiveVisit, type Content, type UnpackBudget } from '../archives/examine-archive.ts';
import { findZipDirectory } from '../archives/unpack-zip.ts';
import type { Mentions } from '../inventory.ts';
import type { AuditReport, Place } from '../report.ts';
import { ARCHIVES, FILES } from '../rules/files.ts';
import { examineFile, examineName } from './examine-file.ts';
import { sniffFile, type FileType } from './sniff-file.ts';
import { openTextReading, type TextReading } from './text-reading.ts';

/** Looks at content from wherever it comes and writes down what it finds. */
export interface Examiner {
  /** Everything about a file that is at hand as a whole. */
  examine(content: Content): void;
  /** What a file is, by its name and its beginning. */
  examineStart(place: Place, bytes: Buffer): FileType | undefined;
  /** What a file says, piece after piece. */
  openReading(place: Place, depth?: number): TextReading;
}

export interface ExaminerParts {
  readonly report: AuditReport;
  readonly mentions: Mentions;
  readonly budget: UnpackBudget;
}

export function openExaminer({ report, mentions, budget }: ExaminerParts): Examiner {
  const visit: ArchiveVisit = { report, budget, examine };
  function examine(content: Content): void {
    const { place, bytes, depth } = content;
    const type = examineStart(place, bytes);
    const isUnderstood = type?.kind === 'archive' && examineArchive(content, type.label, visit);
    if (type?.kind !== 'archive') examineHiddenArchive(content, visit);
    if (isUnderstood) return;
    const reading = openReading(place, depth);
    reading.read(bytes);
    reading.end();
  }
  function examineStart(place: Place, bytes: Buffer): FileType | undefined {
    const type = sniffFile(bytes);
    examineName(place, report);
    examineFile({ place, bytes, type }, report);
    if (type?.kind === 'packed') report.add(ARCHIVES.unknown, place, { excerpt: type.label });
    return type;
  }
  function openReading(place: Place, depth = 0): TextReading {
    return openTextReading({ place, depth, visit: { report, mentions, examine } });
  }
  return { examine, examineStart, openReading };
}

/** A zip archive is read from its end: anything may stand before it. */
function examineHiddenArchive(content: Content, visit: ArchiveVisit): void {
  const directory = findZipDirectory(content.bytes);
  if (directory === undefined || directory.count === 0) return;
  visit.report.add(FILES.polyglot, content.place, { excerpt: 'a zip archive at the end of something else' });
  examineArchive(content, 'zip archive', visit);
}
