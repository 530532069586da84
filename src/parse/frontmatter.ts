/** A SKILL.md cut in two. `line` is the 1-based line of the YAML's first line, for messages. */
export type SplitText =
  | { readonly kind: 'none'; readonly body: string }
  | { readonly kind: 'unclosed'; readonly yaml: string; readonly body: string; readonly line: number }
  | { readonly kind: 'closed'; readonly yaml: string; readonly body: string; readonly line: number };

/**
 * Finds the frontmatter: `---` alone on its line (blanks may follow, blank lines may precede) up to the next such
 * line. Only a fence at column 0 counts, so `---` inside a value or a block scalar is text. Expects LF line ends.
 */
export function splitFrontmatter(text: string): SplitText {
  const opening = /^(?:[ \t]*\n)*---[ \t]*(?:\n|$)/.exec(text);
  if (opening === null) return { kind: 'none', body: text.trim() };
  const start = opening[0].length;
  const line = countLines(opening[0]) + 1;
  const closing = findFence(text, start);
  const header = text.slice(start, closing?.from);
  const glued = header.indexOf('\n---#');
  if (glued !== -1) {
    // `---# Title`: the closing fence and the first heading ran together.
    return {
      kind: 'unclosed',
      yaml: detach(header.slice(0, glued + 1)),
      body: text.slice(start + glued + 4).trim(),
      line,
    };
  }
  if (closing === undefined) return splitUnclosed(header, line);
  return { kind: 'closed', yaml: detach(header), body: text.slice(closing.to).trim(), line };
}

/** Converts line ends to LF and drops the byte-order mark. Every later step relies on it. */
export function normalizeText(text: string): string {
  const unmarked = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  return unmarked.includes('\r') ? unmarked.replaceAll(/\r\n?/g, '\n') : unmarked;
}

/** Copies a slice, so that it does not keep the large string alive. */
export function detach(slice: string): string {
  return slice.length < 13 ? slice : ` ${slice}`.slice(1);
}

export function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

function findFence(text: string, start: number): { readonly from: number; readonly to: number } | undefined {
  for (let from = start; from !== -1 && from <= text.length; from = nextFence(text, from)) {
    if (!text.startsWith('---', from)) continue;
    let to = from + 3;
    while (text[to] === ' ' || text[to] === '\t') to += 1;
    if (to === text.length || text[to] === '\n') return { from, to };
  }
  return undefined;
}

function nextFence(text: string, from: number): number {
  const at = text.indexOf('\n---', from);
  return at === -1 ? -1 : at + 1;
}

/** Without a closing fence, the header ends where its lines stop looking like YAML. */
function splitUnclosed(rest: string, line: number): SplitText {
  const header = /^(?:[A-Za-z_][\w.-]*:(?:[ \t].*)?\n|[ \t]+\S.*\n|- .*\n|\n(?=[A-Za-z_][\w.-]*:[ \t]))*/.exec(
    `${rest}\n`,
  );
  const end = header?.[0].length ?? 0;
  return { kind: 'unclosed', yaml: detach(rest.slice(0, end)), body: rest.slice(end).trim(), line };
}
