import { findZipDirectory } from '../../parse/archives/list-zip.ts';
import { examineArchive, type AuditedContent, type UnpackBudget } from '../archives/examine-archive.ts';
import type { Mentions } from '../inventory.ts';
import type { AuditReport } from '../report.ts';
import { ARCHIVES, FILES } from '../rules/files.ts';
import { examineFile, examineName } from './examine-file.ts';
import type { TextBudget } from './examine-text.ts';
import { readText } from './read-text.ts';
import { isSecretFile } from './secret-files.ts';
import { sniffFile } from './sniff-file.ts';

export interface ExaminerParts {
  readonly report: AuditReport;
  readonly mentions: Mentions;
  readonly budget: UnpackBudget & TextBudget;
}

/** Examines the whole content of a file of any kind and reports findings. */
export type Examine = (content: AuditedContent) => void;

export function openExaminer({ report, mentions, budget }: ExaminerParts): Examine {
  const visit = { report, mentions, budget, examine };
  function examine(content: AuditedContent): void {
    const { place, bytes } = content;
    const type = sniffFile(bytes);
    examineName(place, report);
    const path = place.member ?? place.file;
    if (isSecretFile(path, bytes)) report.add(FILES.secret, place, { excerpt: path });
    examineFile({ place, bytes, type }, report);
    if (type?.kind === 'packed') report.add(ARCHIVES.unknown, place, { excerpt: type.label });
    const isArchive = type?.kind === 'archive';
    const isUnderstood = isArchive && examineArchive(content, type.label, visit);
    if (!isArchive) examineHiddenArchive(content);
    if (!isUnderstood) readText(bytes, content, visit);
  }
  /** A zip archive is read from its end, so that any data can precede it. */
  function examineHiddenArchive(content: AuditedContent): void {
    const directory = findZipDirectory(content.bytes);
    if (directory === undefined || directory.count === 0) return;
    report.add(FILES.polyglot, content.place, { excerpt: 'a zip archive at the end of another file' });
    examineArchive(content, 'zip archive', visit);
  }
  return examine;
}
