import { fail, type Outcome } from '../model/outcome.ts';
import { editFields, type FieldChanges } from './edit-fields.ts';
import { cutText, lineEndOf, type Halves } from './edit-text.ts';
import { countLines, normalizeText, splitFrontmatter } from './frontmatter.ts';
import { readFrontmatter } from './read-frontmatter.ts';
import { mendYaml } from './recover.ts';

/** What a SKILL.md shall say otherwise; what is not given stays byte for byte. */
export interface TextChanges {
  readonly fields: FieldChanges;
  readonly body?: string | undefined;
}

/** The text of a SKILL.md with changes; of one that is new, from the empty text. */
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
 * A SKILL.md cut into frontmatter and body as loading reads it, the frontmatter as valid YAML: broken YAML is mended, a
 * missing fence is put in. The body stays byte for byte.
 */
export function openSkillText(text: string): Outcome<{ readonly halves: Halves }> {
  const closed = closeFrontmatter(text);
  const { split, map, isRecovered, faults } = readFrontmatter(normalizeText(closed));
  if (map === undefined) {
    const reason = faults[0]?.message ?? 'it is not YAML';
    return fail('PARSE_FAILED', `the frontmatter cannot be read: ${reason}; mend it by hand first`);
  }
  if (split.kind === 'none') return { ok: true, halves: withoutFrontmatter(text) };
  const halves = cutText(closed) ?? cutText(normalizeText(closed));
  if (halves === undefined || normalizeText(halves.yaml) !== split.yaml)
    return fail('PARSE_FAILED', 'the frontmatter is written in a way that cannot be edited safely; edit it by hand');
  return { ok: true, halves: isRecovered ? { ...halves, yaml: mendLines(halves) } : halves };
}

/** Puts in the fence that a frontmatter lacks, where loading takes it to end. */
export function closeFrontmatter(text: string): string {
  const split = splitFrontmatter(normalizeText(text));
  if (split.kind !== 'unclosed' || /\r(?!\n)/.test(text)) return text;
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split('\n');
  const end = split.line - 1 + countLines(split.yaml) + (/[^\n]$/.test(split.yaml) ? 1 : 0);
  const next = lines[end] ?? '';
  // `---# Title`: the fence is there, and its line end is not.
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

function mendLines({ yaml, opening }: Halves): string {
  const mended = mendYaml(normalizeText(yaml));
  return opening.endsWith('\r\n') ? mended.replaceAll('\n', '\r\n') : mended;
}

/** One blank line before, one line end behind. */
function layBody(body: string, lineEnd: string): string {
  const text = normalizeText(body)
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
  return text === '' ? '' : `\n${text}\n`.replaceAll('\n', lineEnd);
}
