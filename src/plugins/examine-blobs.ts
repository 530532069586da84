import type { Mentions } from './audit-inventory.ts';
import type { AuditReport } from './audit-report.ts';
import { ARCHIVES, HIDDEN_TEXT } from './audit-rules-files.ts';
import type { Content } from './examine-archive.ts';
import { examineText, lineOf, type ReadableText } from './examine-text.ts';
import { findBlobs, type Blob } from './find-blobs.ts';
import { foldText } from './fold-text.ts';
import { findRegions } from './text-regions.ts';

export interface BlobVisit {
  readonly report: AuditReport;
  readonly mentions: Mentions;
  /** Called with what was encoded and is no text. */
  readonly examine: (content: Content) => void;
}

const DEEPEST = 4;

/** What was encoded is read as if it were not; the findings stand where the encoded text does. */
export function examineBlobs(readable: ReadableText, visit: BlobVisit, depth: number): void {
  for (const blob of findBlobs(readable.folded.text)) {
    if (blob.end <= readable.folded.freshFrom) continue;
    if (depth > DEEPEST) {
      const excerpt = `encodings are nested deeper than ${DEEPEST}`;
      visit.report.add(ARCHIVES.bomb, readable.place, { line: lineOf(readable, blob.offset), excerpt });
    } else if (blob.isText) examineEncodedText(blob, readable, { visit, depth });
    else visit.examine(toContent(blob, readable, depth + 1));
  }
}

function toContent({ offset, encoding, bytes }: Blob, readable: ReadableText, depth: number): Content {
  const { place } = readable;
  const line = lineOf(readable, offset);
  const name = line === undefined ? encoding : `${encoding} in line ${line}`;
  const member = place.member === undefined ? name : `${place.member}!/${name}`;
  return { place: { ...place, member }, bytes, depth };
}

interface Visiting {
  readonly visit: BlobVisit;
  readonly depth: number;
}

function examineEncodedText(
  { offset, encoding, bytes }: Blob,
  readable: ReadableText,
  { visit, depth }: Visiting,
): void {
  const { place } = readable;
  const line = lineOf(readable, offset);
  const folded = foldText(bytes.toString());
  visit.report.add(HIDDEN_TEXT.encoded, place, {
    line,
    excerpt: `${encoding}: ${folded.text.slice(0, LONGEST_SHOWN)}`,
  });
  const decoded: ReadableText = {
    place,
    folded,
    regions: findRegions(folded.text, { isDocument: false }),
    fixedLine: line ?? 'none',
    prefix: `${encoding}: `,
  };
  examineText(decoded, visit.report);
  visit.mentions.addText(decoded, true);
  examineBlobs(decoded, visit, depth + 1);
}

const LONGEST_SHOWN = 1000;
