import { fail, type Outcome } from '../model/outcome.ts';

/** A SKILL.md cut at its fences; byte-exact. */
export interface Halves {
  readonly opening: string;
  readonly yaml: string;
  readonly closing: string;
  readonly rest: string;
}

/** Sets one field that is a single line, and leaves every other byte of the file alone. */
export function setField(text: string, field: string, value: string): Outcome<{ readonly text: string }> {
  const halves = cutText(text);
  if (halves === undefined) return fail('PARSE_FAILED', 'the file has no frontmatter to change');
  const line = `${field}: ${JSON.stringify(value)}`;
  const existing = new RegExp(`(?<=^|\\n)${field}:[^\\r\\n]*`);
  const yaml = existing.test(halves.yaml)
    ? halves.yaml.replace(existing, () => line)
    : `${halves.yaml}${line}${lineEndOf(halves)}`;
  return { ok: true, text: `${halves.opening}${yaml}${halves.closing}${halves.rest}` };
}

/** The frontmatter of the first text with the instructions of the second. */
export function replaceBody(text: string, source: string): string {
  const head = cutText(text);
  const body = cutText(source)?.rest ?? source;
  if (head === undefined) return body;
  const closing = head.closing.endsWith('\n') ? head.closing : `${head.closing}${lineEndOf(head)}`;
  return `${head.opening}${head.yaml}${closing}${body}`;
}

/** Undefined where there is no frontmatter between two fences. */
export function cutText(text: string): Halves | undefined {
  const match = /^(\uFEFF?(?:[ \t]*\r?\n)*---[ \t]*\r?\n)((?:[^\n]*\n)*?)(---[ \t]*(?:\r?\n|$))/.exec(text);
  if (match === null) return undefined;
  const [whole, opening = '', yaml = '', closing = ''] = match;
  return { opening, yaml, closing, rest: text.slice(whole.length) };
}

export function lineEndOf({ opening }: Halves): string {
  return opening.endsWith('\r\n') ? '\r\n' : '\n';
}
