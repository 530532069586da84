import type { FindingPlace } from '../report.ts';
import { decodeBytes } from './decode-bytes.ts';
import { examineBlobs, reportTooDeep, type BlobVisit } from './examine-blobs.ts';
import { examineLines } from './examine-lines.ts';
import { examineText, type ReadableText } from './examine-text.ts';
import { foldText } from './fold-text.ts';
import { findInterpreter, hasShebang, isShell } from './script-language.ts';
import { findRegions, isNamedDocument } from './text-regions.ts';
import { unescapeText } from './unescape-text.ts';

export interface ReadingOptions {
  readonly place: FindingPlace;
  /** The number of archives and encodings around it. */
  readonly depth: number;
  /** It is run, whatever its name says. */
  readonly isRun?: boolean | undefined;
}

/** Examines a file as text: as it is written, and a second time with its escapes written out. */
export function readText(bytes: Buffer, { place, depth, isRun = false }: ReadingOptions, visit: BlobVisit): void {
  const path = place.member ?? place.file;
  for (const { text, kind } of decodeBytes(bytes)) {
    const head = text.slice(0, 256);
    const isDocument = isNamedDocument(path) && !isRun && !hasShebang(head);
    const interpreter = findInterpreter(path, head);
    const isShellText = isShell(interpreter) || (isRun && isNamedDocument(path));
    const toReadable = (written: string): ReadableText => {
      const folded = foldText(written);
      const fixedLine = kind === 'words' ? ('none' as const) : undefined;
      return { place, folded, regions: findRegions(folded.text, isDocument), interpreter, fixedLine };
    };
    if (kind === 'text') examineLines(text, place, visit.report);
    const readable = toReadable(text);
    examineText(readable, visit.report, visit.budget);
    visit.mentions.addText(readable, isShellText);
    examineBlobs(readable, visit, depth);
    if (kind === 'words') continue;
    const unescaped = unescapeText(text);
    if (unescaped.isCut) reportTooDeep(place, 1, visit.report);
    if (unescaped.text === text) continue;
    const again = { ...toReadable(unescaped.text), prefix: 'unescaped: ' };
    examineText(again, visit.report, visit.budget);
    examineBlobs(again, visit, depth);
  }
}
