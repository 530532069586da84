import { findInvisible, type InvisibleCharacter, type InvisibleKind } from '../../parse/invisible.ts';
import { isLookalike } from '../../parse/lookalikes.ts';
import type { AuditReport, FindingPlace } from '../report.ts';
import { HIDDEN_TEXT } from '../rules/files.ts';
import { maskSecrets } from '../rules/mask-secrets.ts';

/** Examines the unfolded lines of a text for things that its readers do not notice. */
export function examineLines(text: string, place: FindingPlace, report: AuditReport): void {
  if (isOrdinary(text)) return;
  let blank = 0;
  for (const [at, content] of maskSecrets(text).replace(/\n$/, '').split('\n').entries()) {
    const line = 1 + at;
    const trimmed = content.trimEnd();
    if (trimmed === '') {
      blank += 1;
      continue;
    }
    if (blank >= MANY_BLANK_LINES)
      report.add(HIDDEN_TEXT.padding, place, { line, excerpt: `after ${blank} blank lines: ${trimmed.trimStart()}` });
    blank = 0;
    examineLine(trimmed, { place, line, report });
  }
}

const MANY_BLANK_LINES = 60;
const WIDE_GAP = /\s{200}\s*/;
const LONG_LINE = 5000;
/** Generated data and pages usually have long lines. */
const LONG_BY_NATURE =
  /\.(?:json|jsonl|ndjson|csv|tsv|svg|xml|html?|lock|map|ipynb|min\.js|min\.css|css|geojson|log|xsd|ya?ml|pdf)$/i;

interface LinePlace {
  readonly place: FindingPlace;
  readonly line: number;
  readonly report: AuditReport;
}

function examineLine(content: string, { place, line, report }: LinePlace): void {
  const gap = content.length > 200 ? WIDE_GAP.exec(content) : null;
  if (gap !== null) {
    const hidden = content.slice(gap.index + gap[0].length, gap.index + gap[0].length + 160);
    // A padded table row ends with a lone bar.
    if (/[^\s|]/.test(hidden))
      report.add(HIDDEN_TEXT.padding, place, { line, excerpt: `after ${gap[0].length} spaces: ${hidden}` });
  }
  if (content.length > LONG_LINE && !LONG_BY_NATURE.test(place.member ?? place.file))
    report.add(HIDDEN_TEXT.longLine, place, { line, excerpt: `${content.length} characters: ${content.slice(0, 60)}` });
  if (!BEYOND_PRINTABLE.test(content)) return;
  examineInvisible(content, { place, line, report });
  const word = findMixedWord(content);
  if (word !== undefined) report.add(HIDDEN_TEXT.lookalike, place, { line, excerpt: spellForeign(word) });
}

const BEYOND_PRINTABLE = /[^\t\x20-\x7e]/;
const BEYOND_ORDINARY = /[^\t\r\n\x20-\x7e]/;
const MANY_BLANKS = /(?:^|\n)\s{60}/;
const WIDE_LINE = 200;

/** Quickly: short lines of ASCII, and never many blank ones in a row. There is nothing to examine. */
function isOrdinary(text: string): boolean {
  if (BEYOND_ORDINARY.test(text) || MANY_BLANKS.test(text)) return false;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    if (end - start > WIDE_LINE) return false;
    start = end + 1;
  }
  return text.length - start <= WIDE_LINE;
}
const MOST_CHARACTERS = 100;
const RULES: Readonly<Record<InvisibleKind, 'tag' | 'bidi' | 'zero-width' | 'control'>> = {
  tag: 'tag',
  bidi: 'bidi',
  control: 'control',
  selector: 'zero-width',
  blank: 'zero-width',
  'zero-width': 'zero-width',
};
/** Several variation selectors in a row carry data; they are not variants of a letter. */
const SELECTOR_RUN = /[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{3}/u;

/** Everything except tag and direction characters; without it, those come first, however much text precedes them. */
const LESS_GRAVE = /[^\u{1F3F4}\u{E0000}-\u{E007F}\u061C\u200E\u200F\u202A-\u202E\u2066-\u206F]/gu;

function examineInvisible(content: string, { place, line, report }: LinePlace): void {
  const unmarked = line === 1 ? content.replace(/^\uFEFF/, '') : content;
  const grave = findInvisible(unmarked.replaceAll(LESS_GRAVE, ''), MOST_CHARACTERS);
  const others = findInvisible(unmarked, MOST_CHARACTERS).filter(({ kind }) => kind !== 'tag' && kind !== 'bidi');
  for (const [kind, found] of Map.groupBy([...grave, ...others], (one) => one.kind))
    report.add(HIDDEN_TEXT[RULES[kind]], place, { line, excerpt: describeKind(found, unmarked) });
  if (SELECTOR_RUN.test(content))
    report.add(HIDDEN_TEXT.tag, place, { line, excerpt: `variation selectors that carry data: ${content}` });
}

function describeKind(found: readonly InvisibleCharacter[], content: string): string {
  const [first] = found;
  const times = found.length === 1 ? '' : ` and ${found.length - 1} more`;
  return `${first?.codePoint ?? ''}${times}: ${first?.kind === 'tag' ? `hidden text "${readTags(content)}"` : content.trim()}`;
}

function readTags(content: string): string {
  const tags = content.match(/[\u{E0020}-\u{E007E}]/gu) ?? [];
  return tags.map((tag) => String.fromCharCode((tag.codePointAt(0) ?? 0) - 0xe0000)).join('');
}

const MIXED = /[a-z][\u0370-\u04ff]|[\u0370-\u04ff][a-z]/i;

/** A Latin word in which all foreign letters are lookalikes. */
function findMixedWord(content: string): string | undefined {
  if (!MIXED.test(content)) return undefined;
  return content.match(/[\p{L}\d_-]{3,60}/gu)?.find((word) => {
    const foreign = word.match(/[\u0370-\u04ff]/g) ?? [];
    return foreign.length > 0 && foreign.every(isLookalike) && (word.match(/[a-z]/gi)?.length ?? 0) >= 2;
  });
}

function spellForeign(word: string): string {
  return word.replaceAll(
    /[\u0370-\u04ff]/g,
    (letter) => `${letter}(U+${letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')})`,
  );
}
