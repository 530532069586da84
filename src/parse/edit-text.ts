import { fail, type Outcome } from '../model/outcome.ts';

/** A SKILL.md with everything up to and including the closing fence apart from its instructions; byte-exact. */
interface Halves {
  readonly opening: string;
  readonly yaml: string;
  readonly closing: string;
  readonly rest: string;
}

/** Sets one field that is a single line, and leaves every other byte of the file alone. */
export function setField(text: string, field: string, value: string): Outcome<{ readonly text: string }> {
  const halves = cut(text);
  if (halves === undefined) return fail('PARSE_FAILED', 'the file has no frontmatter to change');
  const line = `${field}: ${JSON.stringify(value)}`;
  const existing = new RegExp(`^${field}:.*$`, 'm');
  const ending = halves.opening.endsWith('\r\n') ? '\r\n' : '\n';
  const yaml = existing.test(halves.yaml)
    ? halves.yaml.replace(existing, () => line)
    : `${halves.yaml}${line}${ending}`;
  return { ok: true, text: `${halves.opening}${yaml}${halves.closing}${halves.rest}` };
}

/** The frontmatter of the first text with the instructions of the second. */
export function replaceBody(text: string, source: string): string {
  const head = cut(text);
  const body = cut(source)?.rest ?? source;
  return head === undefined ? body : `${head.opening}${head.yaml}${head.closing}${body}`;
}

function cut(text: string): Halves | undefined {
  const match = /^(\uFEFF?\s*---[ \t]*\r?\n)([\s\S]*?)(^---[ \t]*(?:\r?\n|(?![\s\S])))/m.exec(text);
  if (match === null || match.index !== 0) return undefined;
  const [whole, opening = '', yaml = '', closing = ''] = match;
  return { opening, yaml, closing, rest: text.slice(whole.length) };
}
