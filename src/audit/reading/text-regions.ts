import type { TextContext } from '../rules/rule.ts';
import { findLastBefore } from './fold-text.ts';

/** A part of a text; it ends where the next one begins. */
export interface TextRegion {
  readonly start: number;
  readonly context: TextContext;
  /** The language of a code block. */
  readonly language: string;
}

export interface TextRegions {
  readonly all: readonly TextRegion[];
  at(offset: number): TextRegion;
}

const MARKUP = /\.(?:md|mdx|mdc|markdown|rst|adoc)$/i;
/** `notes.txt`, `README`, `LICENSE` */
const PLAIN = /\.(?:[Tt][Xx][Tt]|text|html?|HTML?|xhtml)$|(?:^|\/)[A-Z][A-Z_-]{2,}$/;

/** Whether a file has the name of one that is written to be read by people and models, not to be run. */
export function isNamedDocument(path: string): boolean {
  return MARKUP.test(path) || (PLAIN.test(path) && !SCRIPTS.test(path));
}

const SCRIPTS = /(?:^|\/)(?:scripts|bin|hooks)\//i;

const PROSE: TextRegion = { start: 0, context: 'prose', language: '' };
const CODE: TextRegion = { ...PROSE, context: 'code' };

/** Splits a folded text into code and prose; a file that is not a document is all code. */
export function findRegions(text: string, isDocument: boolean): TextRegions {
  const all = isDocument ? splitDocument(text) : [CODE];
  const starts = all.map(({ start }) => start);
  return { all, at: (offset) => all[findLastBefore(starts, offset)] ?? PROSE };
}

/** A fence and the word after it. Folded lines have no indentation; quote and list marks may precede it. */
const FENCE = /(?:^|\n)(?:[>*+-] |\d{1,3}[.)] ){0,3}(`{3,30}|~{3,30}) ?([\w+#.-]{0,30})/g;

function splitDocument(text: string): readonly TextRegion[] {
  const body = findBody(text);
  const regions: TextRegion[] =
    body > 0
      ? [
          { ...PROSE, context: 'frontmatter' },
          { ...PROSE, start: body },
        ]
      : [PROSE];
  let open = '';
  for (const { index, 0: all, 1: fence = '', 2: language = '' } of text.matchAll(FENCE)) {
    if (index + 1 < body) continue;
    if (open === '') {
      open = fence;
      regions.push({ start: index + 1, context: 'fence', language: language.toLowerCase() });
    } else if (fence.startsWith(open) && language === '') {
      open = '';
      regions.push({ ...PROSE, start: index + all.length });
    }
  }
  return regions;
}

/** Offset of the body after the frontmatter; 0 without (terminated) frontmatter. */
function findBody(text: string): number {
  const opening = /^\n?---\n/.exec(text)?.[0].length;
  if (opening === undefined) return 0;
  const end = text.indexOf('\n---', opening - 1);
  return end === -1 ? 0 : end + 4;
}
