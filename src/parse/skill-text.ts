import { fail, type Outcome } from '../model/outcome.ts';
import { countLines, normalizeText, splitFrontmatter } from './frontmatter.ts';
import { readFrontmatter } from './read-frontmatter.ts';
import { editFields, type FieldChanges } from './yaml/edit-fields.ts';
import { rewriteYaml } from './yaml/recover.ts';

/** A SKILL.md cut at its fences; joined, the parts give the same bytes. */
export interface Halves {
  readonly opening: string;
  readonly yaml: string;
  readonly closing: string;
  readonly rest: string;
}

/** Changes to a SKILL.md; everything else stays byte for byte. */
export interface TextChanges {
  readonly fields: FieldChanges;
  readonly body?: string | undefined;
}

/** Applies changes to the text of a SKILL.md; the empty text gives a new one. */
export function changeSkillText(text: string, { fields, body }: TextChanges): Outcome<{ readonly text: string }> {
  const opened = openSkillText(text);
  if (!opened.ok) return opened;
  const { halves } = opened;
  const edited = editFields(halves.yaml, fields);
  if (!edited.ok) return edited;
  const rest = body === undefined ? halves.rest : layBody(body, lineEndOf(halves));
  return { ok: true, text: joinText({ ...halves, yaml: edited.yaml, rest }) };
}

/**
 * Cuts a SKILL.md into frontmatter and body as loading does, and makes the frontmatter valid YAML: repairs broken YAML and
 * adds a missing fence. The body stays byte for byte.
 */
export function openSkillText(text: string): Outcome<{ readonly halves: Halves }> {
  const closed = closeFrontmatter(text);
  const { split, map, isRecovered, faults } = readFrontmatter(normalizeText(closed));
  if (map === undefined) {
    const reason = faults[0]?.message ?? 'it is not YAML';
    return fail('PARSE_FAILED', `the frontmatter cannot be read: ${reason}`, 'Fix it by hand first.');
  }
  if (split.kind === 'none') return { ok: true, halves: withoutFrontmatter(text) };
  const halves = cutText(closed) ?? cutText(normalizeText(closed));
  if (halves === undefined || normalizeText(halves.yaml) !== split.yaml)
    return fail('PARSE_FAILED', 'the frontmatter is written in a way that cannot be edited safely', 'Edit it by hand.');
  return { ok: true, halves: isRecovered ? { ...halves, yaml: rewriteLines(halves) } : halves };
}

/** Adds a missing closing fence where loading assumes the end of the frontmatter. */
export function closeFrontmatter(text: string): string {
  const split = splitFrontmatter(normalizeText(text));
  if (split.kind !== 'unclosed' || /\r(?!\n)/.test(text)) return text;
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split('\n');
  const end = split.line - 1 + countLines(split.yaml) + (/[^\n]$/.test(split.yaml) ? 1 : 0);
  const next = lines[end] ?? '';
  // `---# Title`: the fence lacks only its line end.
  if (next.startsWith('---#'))
    return [...lines.slice(0, end), `---${lineEnd}${next.slice(3)}`, ...lines.slice(end + 1)].join('\n');
  const isEnded = lines.length > end;
  const head = lines.slice(0, end).join('\n');
  return `${head}${isEnded ? '\n' : lineEnd}---${lineEnd}${lines.slice(end).join('\n')}`;
}

function withoutFrontmatter(text: string): Halves {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const unmarked = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const rest = unmarked.trim() === '' ? '' : `${lineEnd}${unmarked}`;
  return { opening: `---${lineEnd}`, yaml: '', closing: `---${lineEnd}`, rest };
}

export function joinText({ opening, yaml, closing, rest }: Halves): string {
  const lineEnd = lineEndOf({ opening, yaml, closing, rest });
  const isEnded = closing.endsWith('\n') || rest === '';
  return `${opening}${yaml}${closing}${isEnded ? '' : lineEnd}${rest}`;
}

function rewriteLines({ yaml, opening }: Halves): string {
  const rewritten = rewriteYaml(normalizeText(yaml));
  return opening.endsWith('\r\n') ? rewritten.replaceAll('\n', '\r\n') : rewritten;
}

/** One blank line before the body, one line end after it. */
function layBody(body: string, lineEnd: string): string {
  const text = normalizeText(body)
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
  return text === '' ? '' : `\n${text}\n`.replaceAll('\n', lineEnd);
}

/** The frontmatter of the first text with the body of the second, both byte for byte. */
export function replaceBody(text: string, source: string): string {
  const head = cutText(text);
  const body = cutText(source)?.rest ?? source;
  if (head === undefined) return body;
  const closing = head.closing.endsWith('\n') ? head.closing : `${head.closing}${lineEndOf(head)}`;
  return `${head.opening}${head.yaml}${closing}${body}`;
}

/** Undefined without frontmatter between two fences. */
export function cutText(text: string): Halves | undefined {
  const match = /^(\uFEFF?(?:[ \t]*\r?\n)*---[ \t]*\r?\n)((?:[^\n]*\n)*?)(---[ \t]*(?:\r?\n|$))/.exec(text);
  if (match === null) return undefined;
  const [whole, opening = '', yaml = '', closing = ''] = match;
  return { opening, yaml, closing, rest: text.slice(whole.length) };
}

export function lineEndOf({ opening }: Halves): string {
  return opening.endsWith('\r\n') ? '\r\n' : '\n';
}
