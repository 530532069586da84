import type { FindingPlace } from '../report.ts';
import { decodeBytes, type DecodedText } from './decode-bytes.ts';
import { examineBlobs, type BlobVisit } from './examine-blobs.ts';
import { openLineExaminer } from './examine-lines.ts';
import { examineText, type ReadableText } from './examine-text.ts';
import { countBreaks, foldText, type FoldedTail } from './fold-text.ts';
import { findInterpreter, hasShebang, isShell } from './script-language.ts';
import { findRegions, isNamedDocument, type TextRegion } from './text-regions.ts';

/** Reads one file as text, piece by piece; nothing is missed where pieces meet. */
export interface TextReading {
  read(bytes: Buffer): void;
  /** Examines the rest that `read` held back. */
  end(): void;
}

export interface ReadingOptions {
  readonly place: FindingPlace;
  /** The number of archives and encodings around it. */
  readonly depth: number;
  readonly visit: BlobVisit;
  /** It is run, whatever its name says. */
  readonly isRun?: boolean;
  /** The size of a piece, 1 MiB by default; larger pieces cost memory and save no time. */
  readonly pieceBytes?: number;
}

export function openTextReading({ pieceBytes = 1024 * 1024, ...options }: ReadingOptions): TextReading {
  const examine = openPieceExaminer(options);
  let held: Buffer = Buffer.alloc(0);
  return {
    read(bytes) {
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        const joined = Buffer.concat([held, bytes.subarray(at, at + pieceBytes)]);
        const end = findPieceEnd(joined);
        examine(joined.subarray(0, end));
        held = joined.subarray(end);
      }
    },
    end: () => examine(held),
  };
}

const LONGEST_HELD: number = 64 * 1024;

/** A piece ends after a line or a NUL; if there is none near the end, after a whole character. */
function findPieceEnd(bytes: Buffer): number {
  const end = 1 + Math.max(bytes.lastIndexOf(NEWLINE), bytes.lastIndexOf(0));
  if (bytes.length - end <= LONGEST_HELD) return end;
  let letter = bytes.length - 1;
  while (bytes.length - letter < 4 && isContinued(bytes[letter])) letter -= 1;
  return letter;
}

/** Whether a byte continues a UTF-8 character. */
function isContinued(byte = 0): boolean {
  return byte >= 0x80 && byte < 0xc0;
}

const NEWLINE = 10;

function openPieceExaminer({ place, depth, visit, isRun = false }: ReadingOptions): (bytes: Buffer) => void {
  const path = place.member ?? place.file;
  const lines = openLineExaminer(place, visit.report);
  let isShellText: boolean | undefined;
  let isDocument: boolean | undefined;
  let tail: FoldedTail | undefined;
  let within: TextRegion | undefined;
  let line = 1;
  const examineDecoded = ({ text, kind }: DecodedText): void => {
    if (kind === 'text') lines.read(text, line);
    const head = text.slice(0, 256);
    isDocument ??= isNamedDocument(path) && !isRun && !hasShebang(head);
    isShellText ??= isShell(findInterpreter(path, head)) || (isRun && isNamedDocument(path));
    const folded = foldText(text, { firstLine: line, after: tail });
    const regions = findRegions(folded.text, { isDocument, within });
    const readable: ReadableText = { place, folded, regions, fixedLine: kind === 'words' ? 'none' : undefined };
    examineText(readable, visit.report, visit.budget);
    visit.mentions.addText(readable, isShellText);
    examineBlobs(readable, visit, depth);
    tail = folded.tail();
    within = regions.at(tail.start);
    if (kind === 'text') line += countBreaks(text);
  };
  return (bytes) => {
    if (bytes.length > 0) decodeBytes(bytes).forEach(examineDecoded);
  };
}
