import { isUtf8 } from 'node:buffer';
import { basename, join } from 'node:path';

import type { Diagnostic } from '../model/diagnostic.ts';
import { MAX_READING_STEPS, MAX_SKILL_FILE_BYTES } from '../model/limits.ts';
import { fail, type Failure } from '../model/outcome.ts';
import type { SkillDefinition } from '../model/skill.ts';
import { isUtf16 } from './decode.ts';
import { sha256Of } from './digest.ts';
import { normalizeText, splitFrontmatter, type SplitText } from './frontmatter.ts';
import { findInvisible, mayHoldInvisible, type InvisibleCharacter } from './invisible.ts';
import { readManifest } from './manifest.ts';
import { readFrontmatter, type FrontmatterReading } from './read-frontmatter.ts';
import { openStepBudget, type StepBudget } from './step-budget.ts';

export interface ParseOptions {
  /** The skill's directory; its last segment is the skill's id. */
  readonly dir: string;
  /** Path of the file. Default: `<dir>/SKILL.md`. */
  readonly file?: string;
  /** Limits slow work: a skill that needs more is refused. Default: enough for any usual skill. */
  readonly budget?: StepBudget;
  /** Limits the work of compiling patterns. If it is exceeded, they are not looked at. */
  readonly patternBudget?: StepBudget;
}

/** A skill with its instructions, or a failure. `skill.diagnostics` lists flaws that did not prevent loading. */
export type ParseOutcome =
  | { readonly ok: true; readonly skill: SkillDefinition; readonly body: string }
  | (Failure & { readonly diagnostics: readonly Diagnostic[] });

/** Parses one SKILL.md, given as text or bytes. Lenient: keeps everything it can understand. Never throws. */
export function parseSkill(
  content: string | Uint8Array,
  { dir, file = join(dir, 'SKILL.md'), budget = openStepBudget(MAX_READING_STEPS), patternBudget }: ParseOptions,
): ParseOutcome {
  const decoded = decode(content);
  if ('refusal' in decoded) return refuse(file, decoded.refusal);
  const text = normalizeText(decoded.text);
  const reading = readFrontmatter(text, budget);
  if (reading.map === undefined) return refuse(file, describeFault(reading), reading.faults[0]?.line);
  const { body } = reading.split;
  if (reading.split.kind === 'none' && body === '') return refuse(file, 'the file is empty');

  const diagnostics: Diagnostic[] = [];
  const report = (flaw: Omit<Diagnostic, 'path'>): void => void diagnostics.push({ ...flaw, path: file });
  if (reading.split.kind !== 'closed' || reading.faults.length > 0) reportReading(reading, report);
  if (decoded.mayHide) for (const character of findInvisible(text)) report(describeInvisible(character));
  const textDigest = digestText(reading.split, { content, decoded: decoded.text, text });
  const place = { id: basename(dir), dir, file };
  const skill = readManifest(reading.map, { ...place, body, textDigest, diagnostics, report, patternBudget });
  return { ok: true, skill, body };
}

/** The instructions of a SKILL.md alone; empty if its bytes are no text that `parseSkill` accepts. */
export function parseBody(content: Uint8Array): string {
  const decoded = decode(content);
  return 'refusal' in decoded ? '' : splitFrontmatter(normalizeText(decoded.text)).body;
}

/** 128 bits tell texts apart; the cache keeps them for every skill. */
function digestText(split: SplitText, source: TextSource): string {
  return sha256Of(findUsualBytes(split, source) ?? renderUsually(split)).slice(DIGEST_START, DIGEST_START + 32);
}

const DIGEST_START = 'sha256:'.length;

/** How nearly everyone writes the fences, so that most files are hashed as they are. */
const OPENING = '---\n';
const CLOSING = '---\n\n';

function renderUsually(split: SplitText): string {
  if (split.kind !== 'none') return `${OPENING}${split.yaml}${CLOSING}${split.body}`;
  return split.body.startsWith(OPENING) ? `\0${split.body}` : split.body;
}

interface TextSource {
  readonly content: string | Uint8Array;
  readonly decoded: string;
  /** The same with usual line ends. */
  readonly text: string;
}

/** The bytes that `renderUsually` would give, if the file has them: hashing them takes a third of the time of a text. */
function findUsualBytes(split: SplitText, { content, decoded, text }: TextSource): Uint8Array | undefined {
  const { body } = split;
  if (typeof content === 'string' || text !== decoded || body === '') return undefined;
  const fence = split.kind === 'none' ? 0 : OPENING.length + split.yaml.length;
  const start = split.kind === 'none' ? 0 : fence + CLOSING.length;
  const isUsual = split.kind === 'none' || (text.startsWith(OPENING) && text.startsWith(CLOSING, fence));
  // Bodies are trimmed, so one that begins here has no blanks before it.
  if (!isUsual || text[start] !== body[0]) return undefined;
  return content.subarray(0, content.length - Buffer.byteLength(text.slice(start + body.length)));
}

/** Tags, controls and changes of direction have no legitimate use in instructions; the others rarely do. */
export function describeInvisible({ kind, codePoint, offset, line }: InvisibleCharacter): Omit<Diagnostic, 'path'> {
  const what = {
    control: 'a control character',
    tag: 'an invisible tag character',
    bidi: 'a text-direction control',
    selector: 'a variation selector without an emoji',
    blank: 'a character that shows as nothing but a blank',
    'zero-width': 'a zero-width character',
  };
  return {
    code: 'INVISIBLE_CHARACTER',
    severity: kind === 'control' || kind === 'tag' || kind === 'bidi' ? 'error' : 'warning',
    line,
    message: `${codePoint} at offset ${offset} is ${what[kind]}: a reader cannot see it, a model can`,
  };
}

type Decoded = DecodedText | { readonly refusal: string };

interface DecodedText {
  readonly text: string;
  /** False only if there is certainly no invisible character. */
  readonly mayHide: boolean;
}

function decode(content: string | Uint8Array): Decoded {
  if (typeof content === 'string') {
    const isTooLarge = content.length * 3 > MAX_SKILL_FILE_BYTES && Buffer.byteLength(content) > MAX_SKILL_FILE_BYTES;
    if (isTooLarge) return { refusal: TOO_LARGE };
    return content.includes('\0') ? { refusal: HAS_NUL } : { text: content, mayHide: true };
  }
  if (content.length > MAX_SKILL_FILE_BYTES) return { refusal: TOO_LARGE };
  if (isUtf16(content)) {
    return { refusal: 'the file is UTF-16; save it as UTF-8' };
  }
  const text = Buffer.from(content.buffer, content.byteOffset, content.length).toString();
  if (text.includes('\uFFFD') && !isUtf8(content)) return { refusal: 'the file is not valid UTF-8' };
  const mayHide = mayHoldInvisible(content);
  return mayHide && text.includes('\0') ? { refusal: HAS_NUL } : { text, mayHide };
}

const HAS_NUL = 'the file contains a NUL character, so that some programs would read only the text before it';
const TOO_LARGE = `the file is larger than ${MAX_SKILL_FILE_BYTES} bytes`;

function refuse(file: string, reason: string, line?: number): ParseOutcome {
  const at = line === undefined ? {} : { line };
  const diagnostics: readonly Diagnostic[] = [
    { code: 'PARSE_FAILED', severity: 'error', path: file, message: reason, ...at },
  ];
  return { ...fail('PARSE_FAILED', `${file}: ${reason}`), diagnostics };
}

function describeFault({ faults }: FrontmatterReading): string {
  const [fault] = faults;
  if (fault === undefined) return 'the frontmatter cannot be read';
  if (fault.kind === 'syntax') return `the frontmatter is invalid YAML and could not be recovered: ${fault.message}`;
  return `the frontmatter cannot be read: ${fault.message}`;
}

function reportReading(
  { split, faults, isRecovered, fixes }: FrontmatterReading,
  report: (flaw: Omit<Diagnostic, 'path'>) => void,
): void {
  if (split.kind === 'none') {
    report({
      code: 'FRONTMATTER_MISSING',
      severity: 'warning',
      message: 'there is no frontmatter; the whole file is taken as instructions',
    });
  }
  if (split.kind === 'unclosed') {
    const message = 'the frontmatter is not closed with ---; it is taken to end where its fields do';
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
      report({ code: 'DUPLICATE_KEY', severity: 'warning', line, ...field, message: `${message}; the first counts` });
    if (kind === 'refused-key')
      report({ code: 'KEY_REFUSED', severity: 'warning', line, ...field, message: `${message}; it is left out` });
  }
}
