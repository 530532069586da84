import { findZipDirectory } from '../../parse/archives/list-zip.ts';
import {
  examineArchive,
  type ArchiveVisit,
  type AuditedContent,
  type UnpackBudget,
} from '../archives/examine-archive.ts';
import type { Mentions } from '../inventory.ts';
import type { AuditReport, FindingPlace } from '../report.ts';
import { ARCHIVES, FILES } from '../rules/files.ts';
import { examineFile, examineName } from './examine-file.ts';
import type { TextBudget } from './examine-text.ts';
import { isSecretFile } from './secret-files.ts';
import { sniffFile, type FileType } from './sniff-file.ts';
import { openTextReading, type TextReading } from './text-reading.ts';

/** Examines content of any kind and reports findings. */
export interface Examiner {
  /** Examines a whole file. */
  examine(content: AuditedContent): void;
  /** Examines a file's name and beginning, and returns its type. */
  examineStart(place: FindingPlace, bytes: Buffer): FileType | undefined;
  /** Examines a file's text, piece by piece. */
  openReading(place: FindingPlace, options?: { readonly depth?: number; readonly isRun?: boolean }): TextReading;
}

export interface ExaminerParts {
  readonly report: AuditReport;
  readonly mentions: Mentions;
  readonly budget: UnpackBudget & TextBudget;
}

export function openExaminer({ report, mentions, budget }: ExaminerParts): Examiner {
  const visit: ArchiveVisit = { report, budget, examine };
  function examine(content: AuditedContent): void {
    const { place, bytes } = content;
    const type = examineStart(place, bytes);
    const isUnderstood = type?.kind === 'archive' && examineArchive(content, type.label, visit);
    if (type?.kind !== 'archive') examineHiddenArchive(content, visit);
    if (isUnderstood) return;
    const reading = openReading(place, content);
    reading.read(bytes);
    reading.end();
  }
  function examineStart(place: FindingPlace, bytes: Buffer): FileType | undefined {
    const type = sniffFile(bytes);
    examineName(place, report);
    const path = place.member ?? place.file;
    if (isSecretFile(path, bytes)) report.add(FILES.secret, place, { excerpt: path });
    examineFile({ place, bytes, type }, report);
    if (type?.kind === 'packed') report.add(ARCHIVES.unknown, place, { excerpt: type.label });
    return type;
  }
  function openReading(place: FindingPlace, { depth = 0, isRun = false } = {}): TextReading {
    return openTextReading({ place, depth, isRun, visit: { report, mentions, budget, examine } });
  }
  return { examine, examineStart, openReading };
}

/** A zip archive is read from its end, so that any data can precede it. */
function examineHiddenArchive(content: AuditedContent, visit: ArchiveVisit): void {
  const directory = findZipDirectory(content.bytes);
  if (directory === undefined || directory.count === 0) return;
  visit.report.add(FILES.polyglot, content.place, { excerpt: 'a zip archive at the end of another file' });
  examineArchive(content, 'zip archive', visit);
}
