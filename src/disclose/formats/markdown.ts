import { spellOut, visibleText } from '../harmless.ts';
import { addParagraph, countMore, type CatalogFormat } from './catalog-format.ts';

/** A list with brief descriptions. */
export const markdownFormat: CatalogFormat = {
  isBrief: true,
  entries: { open: '## Available Skills\n', between: '', close: '' },
  entry: ({ name, text }) => renderItem(name, text === '' ? '' : `: ${escapeProse(text)}`),
  names: { open: '\n- by name only: ', between: ', ', close: '' },
  name: escapeListedName,
  more: (count) => `\n- ${countMore(count)}`,
  end: '',
  addNote: addParagraph,
};

/** The index of a system prompt, with a line that says how to discover more. */
export const indexFormat: CatalogFormat = {
  isBrief: false,
  entries: { open: '## Skills\n', between: '', close: '' },
  entry: ({ name, text }) => renderItem(name, text === '' ? '' : ` — ${escapeProse(text)}`),
  names: { open: '\n- by name only: ', between: ', ', close: '' },
  name: escapeListedName,
  more: (count) => `\n\n${renderDiscoveryLine(count)}`,
  end: '',
  addNote: addParagraph,
};

export function renderDiscoveryLine(count: number, tool = 'search_skills'): string {
  return `Call \`${tool}\` to discover ${count} more ${count === 1 ? 'skill' : 'skills'}.`;
}

function renderItem(name: string, rest: string): string {
  return `\n- **${escapeName(name)}**${rest}`;
}

/** Characters that could end the emphasis or begin code, a link, a table cell or a tag. */
const MARKS = /[*`|<>[\]]/g;

function escapeName(name: string): string {
  return spellOut(visibleText(name), MARKS);
}

function escapeListedName(name: string): string {
  return spellOut(escapeName(name), /,/g);
}

/** Prose keeps its emphasis and code. Tags and fences are escaped, because they could break out of the list. */
function escapeProse(line: string): string {
  return line.replaceAll(/<(?=\uFFFD*[a-z/!?])/gi, '&lt;').replaceAll(/`{3,}|~{3,}/g, "'''");
}
