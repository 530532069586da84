import type { AuditedContent } from '../archives/examine-archive.ts';
import type { Mentions } from '../inventory.ts';
import type { AuditReport, FindingPlace } from '../report.ts';
import { ARCHIVES, HIDDEN_TEXT } from '../rules/files.ts';
import { examineText, lineOf, type ReadableText, type TextBudget } from './examine-text.ts';
import { findBlobs, type Blob } from './find-blobs.ts';
import { countBreaks, findLastBefore, foldText } from './fold-text.ts';
import { findRegions } from './text-regions.ts';
import { DEEPEST, unescapeText } from './unescape-text.ts';

export interface BlobVisit {
  readonly report: AuditReport;
  readonly mentions: Mentions;
  readonly budget: TextBudget;
  /** Called with decoded data that is not text. */
  readonly examine: (content: AuditedContent) => void;
}

/** Decodes encoded parts of a text and examines them; findings point to the encoded text. */
export function examineBlobs(readable: ReadableText, visit: BlobVisit, depth: number): void {
  const blobs = findBlobs(readable.folded.text);
  const [first] = blobs;
  if (first !== undefined && depth > DEEPEST) {
    reportTooDeep(readable.place, lineOf(readable, first.offset), visit.report);
    return;
  }
  for (const blob of blobs) if (!blob.isText) visit.examine(toContent(blob, readable, depth + 1));
  const texts = blobs.filter(({ isText }) => isText);
  for (const [encoding, group] of Map.groupBy(texts, (blob) => blob.encoding))
    for (const decoded of readTogether(group, encoding, { readable, visit })) {
      examineText(decoded, visit.report, visit.budget);
      visit.mentions.addText(decoded, true);
      examineBlobs(decoded, visit, depth + 1);
    }
}

/** Refuses a text that is encoded again and again, without reading the rest. */
export function reportTooDeep(place: FindingPlace, line: number | undefined, report: AuditReport): void {
  report.add(ARCHIVES.bomb, place, { line, excerpt: `encodings are nested deeper than ${DEEPEST}` });
}

function toContent({ offset, encoding, bytes }: Blob, readable: ReadableText, depth: number): AuditedContent {
  const { place } = readable;
  const line = lineOf(readable, offset);
  const name = line === undefined ? encoding : `${encoding} in line ${line}`;
  const member = place.member === undefined ? name : `${place.member}!/${name}`;
  return { place: { ...place, member }, bytes, depth };
}

interface Reading {
  readonly readable: ReadableText;
  readonly visit: BlobVisit;
}

/**
 * Joins all decoded texts into one, which is much faster to examine; each keeps its line. If there are escapes in them,
 * they are read a second time with these written out.
 */
function readTogether(blobs: readonly Blob[], encoding: string, { readable, visit }: Reading): readonly ReadableText[] {
  const { place, fixedLine } = readable;
  const lineStarts: number[] = [];
  const lines: (number | undefined)[] = [];
  let next = 1;
  const texts = blobs.map(({ offset, bytes }) => {
    const text = bytes.toString();
    const line = lineOf(readable, offset);
    visit.report.add(HIDDEN_TEXT.encoded, place, { line, excerpt: `${encoding}: ${text.slice(0, LONGEST_SHOWN)}` });
    lineStarts.push(next);
    lines.push(line);
    next += 1 + countBreaks(text);
    return text;
  });
  const written = texts.join('\n');
  const unescaped = unescapeText(written);
  if (unescaped.isCut) reportTooDeep(place, lines[0], visit.report);
  return [...new Set([written, unescaped.text])].map((text) => {
    const folded = foldText(text);
    const lineAt = (offset: number): number => lines[findLastBefore(lineStarts, folded.lineAt(offset))] ?? 1;
    const regions = findRegions(folded.text, false);
    return { place, folded: { ...folded, lineAt }, regions, fixedLine, prefix: `${encoding}: ` };
  });
}

const LONGEST_SHOWN = 1000;
