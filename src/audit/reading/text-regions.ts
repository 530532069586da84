import type { TextContext } from '../rules/rule.ts';
import { findLastBefore } from './fold-text.ts';

/** A part of a text; it ends where the next one begins. */
export interface TextRegion {
  readonly start: number;
  readonly context: TextContext;
  /** The language of a code block. */
  readonly language: string;
  /** The characters that open the code block. */
  readonly fence: string;
}

export interface TextRegions {
  readonly all: readonly TextRegion[];
  at(offset: number): TextRegion;
}

export interface RegionOptions {
  readonly isDocument: boolean;
  /** The region in which the text begins; undefined at the beginning of a file. */
  readonly within?: TextRegion | undefined;
}

const DOCUMENT = /\.(?:md|mdx|mdc|markdown|txt|text|rst|adoc|html?|xhtml)$/i;
/** `README`, `LICENSE` */
const LOUD_NAME = /(?:^|\/)[A-Z][A-Z_-]{2,}$/;

/** Whether a file has the name of one that is written to be read by people and models, not to be run. */
export function isNamedDocument(path: string): boolean {
  return DOCUMENT.test(path) || (LOUD_NAME.test(path) && !SCRIPTS.test(path));
}

const SCRIPTS = /(?:^|\/)(?:scripts|bin|hooks)\//i;

const PROSE: TextRegion = { start: 0, context: 'prose', language: '', fence: '' };
const CODE: TextRegion = { ...PROSE, context: 'code' };

/** Splits a folded text into code and prose; a file that is not a document is all code. */
export function findRegions(text: string, { isDocument, within }: RegionOptions): TextRegions {
  const all = isDocument ? splitDocument(text, within) : [CODE];
  const starts = all.map(({ start }) => start);
  return { all, at: (offset) => all[findLastBefore(starts, offset)] ?? PROSE };
}

/** A fence and the word after it. Folded lines have no indentation; quote and list marks may precede it. */
const FENCE = /(?:^|\n)(?:[>*+-] |\d{1,3}[.)] ){0,3}(`{3,30}|~{3,30}) ?([\w+#.-]{0,30})/g;

function splitDocument(text: string, within: TextRegion | undefined): readonly TextRegion[] {
  const regions: TextRegion[] = [{ ...(within ?? PROSE), start: 0 }];
  const body = findBody(text, within);
  if (body > 0) regions.splice(0, 1, { ...PROSE, context: 'frontmatter' }, { ...PROSE, start: body });
  let open = regions.at(-1)?.fence ?? '';
  for (const { index, 0: all, 1: fence = '', 2: language = '' } of text.matchAll(FENCE)) {
    if (index + 1 < body) continue;
    if (open === '') {
      open = fence;
      regions.push({ start: index + 1, context: 'fence', language: language.toLowerCase(), fence });
    } else if (fence.startsWith(open) && language === '') {
      open = '';
      regions.push({ ...PROSE, start: index + all.length });
    }
  }
  return regions;
}

/** Where the body begins after the frontmatter; 0 if there is no frontmatter, or it does not end. */
function findBody(text: string, within: TextRegion | undefined): number {
  const isInside = within?.context === 'frontmatter';
  const opening = within === undefined ? /^\n?---\n/.exec(text)?.[0].length : undefined;
  if (opening === undefined && !isInside) return 0;
  const end = text.indexOf('\n---', (opening ?? 1) - 1);
  return end === -1 ? 0 : end + 4;
}
