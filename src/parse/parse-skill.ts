import { basename, join } from 'node:path';

import { stringOrBytes, checkCall, anObject, optionsOf, aString } from '../model/check-arguments.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { MAX_LISTED_FLAWS, MAX_SKILL_FILE_BYTES } from '../model/limits.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import type { SkillDefinition } from '../model/skill.ts';
import { decodeStrictly, isUtf16 } from './decode.ts';
import { sha256Of } from './digest.ts';
import {
  normalizeText,
  readFrontmatter,
  splitFrontmatter,
  type FrontmatterReading,
  type SplitText,
} from './frontmatter.ts';
import { findInvisible, type InvisibleCharacter } from './invisible.ts';
import { readManifest } from './manifest.ts';
import type { StepBudget } from './step-budget.ts';

export interface ParseOptions {
  /** The skill's directory; its last segment is the skill's id. */
  readonly dir: string;
  /** Path of the file. Default: `<dir>/SKILL.md`. */
  readonly file?: string;
  /** Limits the repair of frontmatter of many skills together. If it is exceeded, a skill that needs repair is refused. */
  readonly repairs?: StepBudget;
  /** The same for compiling patterns. If it is exceeded, they are not looked at. */
  readonly patternBudget?: StepBudget;
}

const PARSE_OPTIONS = optionsOf<ParseOptions>(
  { dir: aString, file: aString, repairs: anObject, patternBudget: anObject },
  ['dir'],
);

/**
 * A skill with its instructions, or a failure with the flaw that caused it. `skill.diagnostics` lists flaws that did not prevent
 * loading.
 */
export type ParseOutcome =
  | { readonly ok: true; readonly skill: SkillDefinition; readonly body: string }
  | (Failure & { readonly diagnostics: readonly [Diagnostic] });

/**
 * Parses one SKILL.md, given as text or bytes: decodes it, cuts off the frontmatter, reads that or recovers it, makes the
 * record, and lists what is wrong. Lenient: keeps everything it can understand. No content makes it throw.
 */
export function parseSkill(content: string | Uint8Array, options: ParseOptions): ParseOutcome {
  checkCall('parseSkill(content, { dir })', {
    content: [content, stringOrBytes],
    options: [options, PARSE_OPTIONS],
  });
  const { dir, file = join(dir, 'SKILL.md'), repairs, patternBudget } = options;
  const decoded = decode(content);
  if (!decoded.ok) return refuse(file, decoded.message);
  const { text } = decoded;
  const reading = readFrontmatter(text, repairs);
  const { map, split } = reading;
  if (map === undefined) return refuse(file, describeFault(reading), reading.faults[0]?.line);
  if (text.trim() === '') return refuse(file, 'the file is empty');

  const diagnostics: Diagnostic[] = [];
  let unlisted = 0;
  const report = (flaw: Omit<Diagnostic, 'path'>): void => {
    if (diagnostics.length < MAX_LISTED_FLAWS) diagnostics.push({ ...flaw, path: file });
    else unlisted += 1;
  };
  reportReading(reading, report);
  for (const character of findInvisible(text)) report(describeInvisible(character));
  const { body } = split;
  const place = { id: basename(dir), dir, file, body, textDigest: digestText(split) };
  const skill = readManifest(map, { ...place, diagnostics, report: (flaw) => report(asIgnored(flaw)), patternBudget });
  if (unlisted > 0) {
    const message = `${unlisted} more problems are not listed`;
    diagnostics.push({ code: 'SCAN_LIMIT', severity: 'warning', path: file, message });
  }
  return { ok: true, skill, body };
}

/** Only the instructions of a SKILL.md; empty if `parseSkill` rejects its bytes. */
export function parseBody(content: Uint8Array): string {
  const decoded = decode(content);
  return decoded.ok ? splitFrontmatter(decoded.text).body : '';
}

/**
 * 128 bits distinguish texts; the cache stores them for every skill. Whitespace around the body and at the fences is
 * ignored.
 */
function digestText({ kind, yaml, body }: SplitText): string {
  // The NUL distinguishes a body that starts with a fence from frontmatter.
  const bare = body.startsWith('---\n') ? `\0${body}` : body;
  const text = kind === 'none' ? bare : `---\n${yaml}---\n\n${body}`;
  return sha256Of(text).slice('sha256:'.length, 'sha256:'.length + 32);
}

/** Tags, controls and changes of direction have no legitimate use in instructions; the others rarely do. */
export function describeInvisible({ kind, codePoint, offset, line }: InvisibleCharacter): Omit<Diagnostic, 'path'> {
  const what = {
    control: 'a control character',
    tag: 'an invisible tag character',
    bidi: 'a text-direction control',
    selector: 'a variation selector without an emoji',
    blank: 'a character that looks like a space',
    'zero-width': 'a zero-width character',
  };
  return {
    code: 'INVISIBLE_CHARACTER',
    severity: kind === 'control' || kind === 'tag' || kind === 'bidi' ? 'error' : 'warning',
    line,
    message: `${codePoint} at offset ${offset} is ${what[kind]}: a reader cannot see it, a model can`,
  };
}

/** The text with LF line ends and without a byte-order mark. */
function decode(content: string | Uint8Array): Outcome<{ readonly text: string }> {
  if (Buffer.byteLength(content) > MAX_SKILL_FILE_BYTES) return fail('PARSE_FAILED', TOO_LARGE);
  if (typeof content !== 'string' && isUtf16(content))
    return fail('PARSE_FAILED', 'the file is UTF-16; save it as UTF-8');
  const text = typeof content === 'string' ? content : decodeStrictly(content);
  if (text === undefined) return fail('PARSE_FAILED', 'the file is not valid UTF-8');
  return text.includes('\0') ? fail('PARSE_FAILED', HAS_NUL) : { ok: true, text: normalizeText(text) };
}

const HAS_NUL = 'the file contains a NUL character, so that some programs would read only the text before it';
const TOO_LARGE = `the file is larger than ${MAX_SKILL_FILE_BYTES} bytes`;

function refuse(file: string, reason: string, line?: number): ParseOutcome {
  const at = line === undefined ? {} : { line };
  const flaw: Diagnostic = { code: 'PARSE_FAILED', severity: 'error', path: file, message: reason, ...at };
  return { ...fail('PARSE_FAILED', `${file}: ${reason}`), diagnostics: [flaw] };
}

function describeFault({ faults }: FrontmatterReading): string {
  const [fault] = faults;
  if (fault === undefined) return 'the frontmatter cannot be read';
  if (fault.kind === 'syntax') return `the frontmatter is invalid YAML and could not be recovered: ${fault.message}`;
  return `the frontmatter cannot be read: ${fault.message}`;
}

/** Loading goes on without a field of the wrong type. */
function asIgnored(flaw: Omit<Diagnostic, 'path'>): Omit<Diagnostic, 'path'> {
  const isIgnored = flaw.code === 'WRONG_TYPE' && flaw.severity === 'warning';
  return isIgnored ? { ...flaw, message: `${flaw.message}; it is ignored` } : flaw;
}

function reportReading(
  { split, faults, isRecovered, fixes }: FrontmatterReading,
  report: (flaw: Omit<Diagnostic, 'path'>) => void,
): void {
  if (split.kind === 'none') {
    report({
      code: 'FRONTMATTER_MISSING',
      severity: 'warning',
      message: 'no frontmatter; the whole file is treated as instructions',
    });
  }
  if (split.kind === 'unclosed') {
    const message = 'the frontmatter is not closed with ---; it ends after its last field';
    report({ code: 'FRONTMATTER_NOT_CLOSED', severity: 'warning', line: split.line - 1, message });
  }
  const [fault] = faults;
  if (isRecovered && fixes.length === 0 && fault !== undefined) {
    const message = `invalid YAML was read as intended: ${fault.message}`;
    report({ code: 'YAML_RECOVERED', severity: 'warning', line: fault.line, message });
  }
  for (const { line, field, rewritten } of fixes) {
    report({
      code: 'YAML_RECOVERED',
      severity: 'warning',
      line,
      field,
      message: `invalid YAML was read as intended; write ${rewritten}`,
    });
  }
  for (const { kind, message, line, key } of faults) {
    const field = key === undefined ? {} : { field: key };
    if (kind === 'duplicate-key')
      report({ code: 'DUPLICATE_KEY', severity: 'warning', line, ...field, message: `${message}; using the first` });
    if (kind === 'refused-key')
      report({ code: 'KEY_REFUSED', severity: 'warning', line, ...field, message: `${message}; it is left out` });
  }
}
