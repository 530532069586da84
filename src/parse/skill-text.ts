import { fail, type Outcome } from '../model/outcome.ts';
import { editFields, type FieldChanges } from './edit-fields.ts';
import { cutText, lineEndOf, type Halves } from './edit-text.ts';
import { normalizeText } from './frontmatter.ts';
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
 * missing fence is put in.
 */
export function openSkillText(text: string): Outcome<{ readonly halves: Halves }> {
  const { split, map, isRecovered, faults } = readFrontmatter(normalizeText(text));
  if (map === undefined) {
    const reason = faults[0]?.message ?? 'it is not YAML';
    return fail('PARSE_FAILED', `the frontmatter cannot be read: ${reason}; mend it by hand first`);
  }
  const cut = cutText(text);
  const isAsRead = cut !== undefined && split.kind === 'closed' && normalizeText(cut.yaml) === split.yaml;
  if (isAsRead && !isRecovered) return { ok: true, halves: cut };
  if (isAsRead) return { ok: true, halves: { ...cut, yaml: mendLines(cut) } };
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const yaml = split.kind === 'none' ? '' : isRecovered ? mendYaml(split.yaml) : split.yaml;
  const fence = `---${lineEnd}`;
  const ended = yaml === '' || yaml.endsWith('\n') ? yaml : `${yaml}\n`;
  return {
    ok: true,
    halves: {
      opening: fence,
      yaml: ended.replaceAll('\n', lineEnd),
      closing: fence,
      rest: split.body === '' ? '' : layBody(split.body, lineEnd),
    },
  };
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
