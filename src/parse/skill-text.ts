import { fail, type Outcome } from '../model/outcome.ts';
import { normalizeText, readFrontmatter, splitFrontmatter, type SplitText } from './frontmatter.ts';
import { editFields, type FieldChanges } from './yaml/edit-fields.ts';
import { rewriteYaml } from './yaml/recover.ts';

/** The parts of a SKILL.md whose frontmatter is valid YAML between two fences. */
export type Halves = Pick<SplitText, 'opening' | 'yaml' | 'closing' | 'rest'>;

/** Changes to a SKILL.md; all other bytes stay. */
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
    return fail('PARSE_FAILED', `the frontmatter cannot be read: ${reason}`, { advice: 'Fix it by hand first.' });
  }
  if (split.kind === 'none') return { ok: true, halves: withoutFrontmatter(text) };
  const halves = cutText(closed);
  return { ok: true, halves: isRecovered ? { ...halves, yaml: rewriteLines(halves) } : halves };
}

/** Adds a missing closing fence where loading assumes the end of the frontmatter. */
export function closeFrontmatter(text: string): string {
  const { kind, opening, yaml, rest } = cutText(text);
  if (kind !== 'unclosed') return text;
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const head = `${opening}${yaml}`;
  return `${head}${head.endsWith('\n') ? '' : lineEnd}---${lineEnd}${rest}`;
}

/** Cuts a text as loading does, byte for byte. Line ends of old Macs hide fences and fields; then it has others. */
function cutText(text: string): SplitText {
  const [written, normal] = [splitFrontmatter(text), splitFrontmatter(normalizeText(text))];
  return written.kind === normal.kind && normalizeText(written.yaml) === normal.yaml ? written : normal;
}

function withoutFrontmatter(text: string): Halves {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const unmarked = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const rest = unmarked.trim() === '' ? '' : `${lineEnd}${unmarked}`;
  return { opening: `---${lineEnd}`, yaml: '', closing: `---${lineEnd}`, rest };
}

export function joinText({ opening, yaml, closing, rest }: Halves): string {
  const isEnded = closing.endsWith('\n') || rest === '';
  return `${opening}${yaml}${closing}${isEnded ? '' : lineEndOf({ opening })}${rest}`;
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
  const { opening, yaml, closing } = splitFrontmatter(text);
  const { rest } = splitFrontmatter(source);
  if (closing === '') return rest;
  return `${opening}${yaml}${closing}${closing.endsWith('\n') ? '' : lineEndOf({ opening })}${rest}`;
}

function lineEndOf({ opening }: Pick<SplitText, 'opening'>): string {
  return opening.endsWith('\r\n') ? '\r\n' : '\n';
}
