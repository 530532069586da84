import { normalizeText, splitFrontmatter } from './frontmatter.ts';

/** The line of a top-level field or of an item in its list; undefined if the field is missing. */
export type FieldLines = (field: string, item?: string) => number | undefined;

/**
 * Finds line numbers in the frontmatter of a SKILL.md. An item that has no line of its own gets the line of its field.
 */
export function openFieldLines(text: string): FieldLines {
  const split = splitFrontmatter(normalizeText(text));
  const lines = split.kind === 'none' ? [] : split.yaml.split('\n');
  const first = split.kind === 'none' ? 1 : split.line;
  const known = new Map<string, number>();
  let field = '';
  for (const [at, line] of lines.entries()) {
    const key = readKey(line);
    if (key !== undefined) field = key;
    const id = key ?? JSON.stringify([field, readItem(line)]);
    if (!known.has(id)) known.set(id, first + at);
  }
  return (name, item) => (item === undefined ? undefined : known.get(JSON.stringify([name, item]))) ?? known.get(name);
}

function readKey(line: string): string | undefined {
  const colon = /^[^\s#-]/.test(line) ? line.indexOf(':') : -1;
  return colon === -1 ? undefined : unquote(line.slice(0, colon).trimEnd());
}

/** A list item without its dash, comma and quotes. */
function readItem(line: string): string {
  return unquote(
    line
      .replace(/^\s*-\s+/, '')
      .trim()
      .replace(/,$/, ''),
  );
}

function unquote(text: string): string {
  return /^(["'])(.*)\1$/.exec(text)?.[2] ?? text;
}
