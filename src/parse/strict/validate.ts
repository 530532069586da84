import { basename } from 'node:path';

import type { Diagnostic, DiagnosticCode } from '../../model/diagnostic.ts';
import type { SkillFolder } from '../../model/folder.ts';
import {
  MAX_COMPATIBILITY_LENGTH,
  MAX_DESCRIPTION_LENGTH,
  MAX_FRONTMATTER_BYTES,
  MAX_INSTRUCTION_TOKENS,
  MAX_NAME_LENGTH,
  MAX_SKILL_FILE_BYTES,
} from '../../model/limits.ts';
import type { FrontmatterMap, FrontmatterValue } from '../../model/skill.ts';
import { countCodePoints } from '../code-points.ts';
import { decodeStrictly } from '../decode.ts';
import { openFieldLines } from '../field-line.ts';
import { isScalar } from '../fields.ts';
import { normalizeText, readFrontmatter, splitFrontmatter, type FrontmatterReading } from '../frontmatter.ts';
import { findInvisible } from '../invisible.ts';
import { EXTENSION_FIELDS, SPEC_FIELDS, readManifest } from '../manifest.ts';
import { findNameFaults, isSameName } from '../name-rules.ts';
import { findNamedFileFaults } from '../named-files.ts';
import { describeInvisible } from '../parse-skill.ts';
import { findSkillFile } from '../skill-file.ts';
import { findTemplateText } from './template-text.ts';
import { Verdict, type Validation } from './validation.ts';

export interface ValidateOptions {
  /** Allows only fields of the Agent Skills specification, like its reference tool. */
  readonly spec?: boolean;
}

/** Validates a skill strictly. Reports every error, in a stable order; nothing is recovered, nothing throws. */
export function validateFolder(folder: SkillFolder, { spec = false }: ValidateOptions = {}): Validation {
  const verdict = new Verdict(folder.dir);
  const name = findFile(folder, verdict);
  if (name === undefined) return verdict.close();
  const content = folder.read(name, MAX_SKILL_FILE_BYTES);
  if (!content.ok) return verdict.error('FILE_UNREADABLE', `${name} cannot be read: ${content.message}`).close();
  const text = decodeStrictly(content.bytes);
  if (text === undefined) return verdict.error('INVALID_ENCODING', `${name} is not valid UTF-8`).close();
  if (!text.startsWith('---')) reportLateStart(text, spec, verdict);
  const reading = readStrictFrontmatter(normalizeText(text), verdict);
  const map = reading?.map;
  if (reading === undefined || map === undefined) return verdict.close();
  verdict.locate(openFieldLines(text));
  checkFields(map, spec, verdict);
  // A repaired name is a guess.
  if (!reading.fixes.some(({ field }) => field === 'name'))
    checkName(map, { directory: basename(folder.dir), spec }, verdict);
  checkDescription(map, spec, verdict);
  checkCompatibility(map, verdict);
  checkVersion(map, verdict);
  checkLength(reading.split.body, verdict);
  checkTemplateText(text, verdict);
  if (spec) {
    checkLicense(map, verdict);
    checkMetadata(map, verdict);
  } else checkExtensions(map, { folder, name, text }, verdict);
  for (const character of findInvisible(normalizeText(text))) {
    const { severity, code, line, message } = describeInvisible(character);
    verdict.add(severity === 'error' && !spec ? 'error' : 'warning', { code, field: undefined, line, message });
  }
  return verdict.close();
}

function findFile(folder: SkillFolder, verdict: Verdict): string | undefined {
  const state = folder.state();
  if (state === 'missing') verdict.error('PATH_NOT_FOUND', `the path does not exist: ${folder.dir}`);
  if (state === 'not-directory') verdict.error('PATH_NOT_DIRECTORY', `the path is not a directory: ${folder.dir}`);
  if (state !== 'directory') return undefined;
  const name = findSkillFile(folder.names());
  if (name === undefined) verdict.error('SKILL_FILE_MISSING', 'missing required file: SKILL.md');
  else if (name !== 'SKILL.md')
    verdict.warn('FILE_NAME_CASE', `rename ${name} to SKILL.md; other agents do not find it`);
  return name;
}

/** Blank lines or a byte-order mark before the frontmatter hide it from the reference tool and from many agents. */
function reportLateStart(text: string, spec: boolean, verdict: Verdict): void {
  if (splitFrontmatter(normalizeText(text)).kind === 'none') return;
  const message = 'SKILL.md must start with --- at its very first character';
  if (spec) verdict.error('FRONTMATTER_MISSING', message);
  else verdict.warn('FRONTMATTER_MISSING', message);
}

/**
 * Reads the frontmatter strictly. What loading would recover is an error here, with the way to fix it; the fields are
 * then checked as loading reads them.
 */
function readStrictFrontmatter(text: string, verdict: Verdict): FrontmatterReading | undefined {
  const reading = readFrontmatter(text);
  if (reading.split.kind === 'none') {
    verdict.error('FRONTMATTER_MISSING', 'SKILL.md must start with frontmatter between two lines of ---');
    return undefined;
  }
  if (reading.split.kind === 'unclosed') {
    verdict.error('FRONTMATTER_NOT_CLOSED', 'the frontmatter is not properly closed with a line of ---');
    return undefined;
  }
  for (const fault of reading.faults) reportFault(fault, reading, verdict);
  return reading;
}

function reportFault(
  fault: FrontmatterReading['faults'][number],
  { fixes }: FrontmatterReading,
  verdict: Verdict,
): void {
  const { line, key } = fault;
  const report = (code: DiagnosticCode, message: string, field?: string): void =>
    void verdict.add('error', { code, field, line, message });
  switch (fault.kind) {
    case 'not-mapping':
      report('FRONTMATTER_NOT_MAPPING', `the frontmatter must be a mapping of fields to values (line ${line})`);
      break;
    case 'too-large':
      report('FRONTMATTER_TOO_LARGE', `the frontmatter exceeds ${MAX_FRONTMATTER_BYTES} bytes`);
      break;
    case 'duplicate-key':
      report('DUPLICATE_KEY', `invalid YAML in line ${line}: ${fault.message}`, key);
      break;
    case 'refused-key':
      report('KEY_REFUSED', `unexpected fields: ${fault.message} (line ${line})`, key);
      break;
    case 'alias':
      report('ALIAS_REFUSED', `invalid YAML in line ${line}: ${fault.message}${describeFixes(fixes)}`);
      break;
    case 'syntax':
    case 'too-deep':
    case 'too-costly':
      report('YAML_INVALID', `invalid YAML in line ${line}: ${fault.message}${describeFixes(fixes)}`, fixes[0]?.field);
      break;
  }
}

function describeFixes(fixes: FrontmatterReading['fixes']): string {
  if (fixes.length === 0) return '';
  return `; write ${fixes.map((fix) => `line ${fix.line} as ${fix.rewritten}`).join(', and ')}`;
}

function checkFields(map: FrontmatterMap, spec: boolean, verdict: Verdict): void {
  const allowed = new Set(spec ? SPEC_FIELDS : [...SPEC_FIELDS, ...EXTENSION_FIELDS]);
  const others = [...map.keys()].filter((key) => !allowed.has(key)).sort();
  const foreign = spec ? [] : others.filter((key) => FOREIGN_FIELDS.has(key));
  for (const key of foreign) {
    verdict.warn('UNKNOWN_FIELD', `"${key}" is a field of other agents; it has no effect here`, key);
  }
  const unexpected = others.filter((key) => !foreign.includes(key));
  if (unexpected.length === 0) return;
  verdict.error('UNKNOWN_FIELD', `the frontmatter has unexpected fields: ${unexpected.join(', ')}`, unexpected[0]);
}

/** Fields that other leading agents define. */
const FOREIGN_FIELDS: ReadonlySet<string> = new Set([
  'agent',
  'argument-hint',
  'arguments',
  'context',
  'disallowed-tools',
  'effort',
  'hooks',
  'model',
  'paths',
  'shell',
]);

function checkName(
  map: FrontmatterMap,
  { directory, spec }: { readonly directory: string; readonly spec: boolean },
  verdict: Verdict,
): void {
  if (!map.has('name')) {
    verdict.error('NAME_MISSING', 'missing required field: name', 'name');
    return;
  }
  const name = requireText(map.get('name'), 'name', verdict);
  if (name === undefined) return;
  for (const fault of findNameFaults(name)) verdict.error('INVALID_NAME', fault, 'name');
  if (!spec && name !== name.trim()) verdict.error('INVALID_NAME', 'the name begins or ends with a blank', 'name');
  if (!isSameName(name, directory)) {
    verdict.error('NAME_MISMATCH', `the directory name "${directory}" must match skill name "${name.trim()}"`, 'name');
  }
}

function checkDescription(map: FrontmatterMap, spec: boolean, verdict: Verdict): void {
  if (!map.has('description')) {
    verdict.error('DESCRIPTION_MISSING', 'missing required field: description', 'description');
    return;
  }
  const description = requireText(map.get('description'), 'description', verdict);
  if (!spec && description !== undefined && isScalar(description))
    verdict.error('WRONG_TYPE', 'the description must be text that says what the skill is for', 'description');
  const length = countCodePoints(description ?? '');
  if (length > MAX_DESCRIPTION_LENGTH) {
    const message = `the description exceeds the ${MAX_DESCRIPTION_LENGTH} character limit (${length} characters)`;
    verdict.error('DESCRIPTION_TOO_LONG', message, 'description');
  }
}

function checkCompatibility(map: FrontmatterMap, verdict: Verdict): void {
  const compatibility = map.get('compatibility');
  if (compatibility === undefined || compatibility === null) return;
  const length = countCodePoints(requireText(compatibility, 'compatibility', verdict) ?? '');
  if (length > MAX_COMPATIBILITY_LENGTH) {
    const message = `compatibility exceeds the ${MAX_COMPATIBILITY_LENGTH} character limit (${length} characters)`;
    verdict.error('COMPATIBILITY_TOO_LONG', message, 'compatibility');
  }
}

function checkLicense(map: FrontmatterMap, verdict: Verdict): void {
  const license = map.get('license') ?? '';
  if (typeof license !== 'string') verdict.error('WRONG_TYPE', 'license must be text', 'license');
}

/** The specification has a map from text to text. */
function checkMetadata(map: FrontmatterMap, verdict: Verdict): void {
  const metadata = map.get('metadata') ?? NO_FIELDS;
  if (!(metadata instanceof Map)) {
    verdict.error('WRONG_TYPE', 'metadata must be a mapping of names to text', 'metadata');
    return;
  }
  for (const [key, value] of metadata) {
    if (typeof value === 'string' || value === null) continue;
    verdict.error('WRONG_TYPE', `metadata must map names to text, and metadata.${key} is not text`, `metadata.${key}`);
  }
}

/** A number with up to four parts, and a pre-release or build after it: 2, 1.0, v1.2.3-beta, 2026-07-28. */
const VERSION = /^v?\d+(?:\.\d+){0,3}(?:[-+][\w.+-]+)?$/i;

/** The field is ours; the specification has it in `metadata`. */
function checkVersion(map: FrontmatterMap, verdict: Verdict): void {
  const metadata = map.get('metadata');
  const nested = metadata instanceof Map ? metadata : NO_FIELDS;
  for (const [field, version] of [
    ['version', map.get('version')],
    ['metadata.version', nested.get('version')],
  ] as const) {
    if (typeof version !== 'string' || VERSION.test(version.trim())) continue;
    verdict.warn(
      'VERSION_INVALID',
      `${field} must be a version such as 1.2.0, not "${version.slice(0, MAX_NAME_LENGTH)}"`,
      field,
    );
  }
}

const NO_FIELDS: FrontmatterMap = new Map();

function checkLength(body: string, verdict: Verdict): void {
  const tokens = Math.ceil(body.length / 4);
  if (tokens <= MAX_INSTRUCTION_TOKENS) return;
  verdict.warn(
    'INSTRUCTIONS_TOO_LONG',
    `the instructions have about ${tokens} tokens; keep them below ${MAX_INSTRUCTION_TOKENS} and move details into files of the skill`,
  );
}

function checkTemplateText(text: string, verdict: Verdict): void {
  const lines = findTemplateText(text);
  const [line] = lines;
  if (line === undefined) return;
  const [noun, verb] = lines.length === 1 ? ['line', 'is'] : ['lines', 'are'];
  const message = `${noun} ${lines.join(', ')} ${verb} still the text of the template; replace ${lines.length === 1 ? 'it' : 'them'}`;
  verdict.add('warning', { code: 'TEMPLATE_TEXT', field: undefined, line, message });
}

function requireText(value: FrontmatterValue | undefined, field: string, verdict: Verdict): string | undefined {
  if (typeof value === 'string' && value.trim() !== '') return value;
  verdict.error('WRONG_TYPE', `the field ${field} must be non-empty text`, field);
  return undefined;
}

/** Reports problems in our own fields, and in the files that they name, as errors; loading only warns about them. */
function checkExtensions(
  map: FrontmatterMap,
  { folder, name, text }: { folder: SkillFolder; name: string; text: string },
  verdict: Verdict,
): void {
  const report = ({ code, severity, field, message }: Omit<Diagnostic, 'path'>): void => {
    if (code === 'PATTERN_REFUSED') verdict.warn(code, message, field);
    if (code !== 'WRONG_TYPE' || field === undefined || ['name', 'description', 'compatibility'].includes(field))
      return;
    if (severity === 'info') verdict.warn(code, message, field);
    else verdict.error(code, message, field);
  };
  const { dir } = folder;
  const skill = readManifest(map, { id: basename(dir), dir, file: name, body: '', diagnostics: [], report });
  for (const fault of findNamedFileFaults(skill, { text, ...folder })) verdict.add('error', fault);
}
