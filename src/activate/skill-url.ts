import { decodePercent } from '../model/address.ts';
import type { NextStep } from '../model/next-step.ts';
import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import { findPathFault } from '../model/path-fault.ts';
import { isFromSource } from '../model/skill-source.ts';
import type { Skill } from '../model/skill.ts';

/** A skill's SKILL.md, or with a path another of its files. */
export interface SkillUrl {
  readonly name: string;
  readonly path: string | undefined;
}

/** The longest Linux path with every byte percent-encoded, plus room for a name. */
const MAX_URL_LENGTH: number = 16 * 1024;

/**
 * Parses `skill://<name>` or `skill://<name>/<path>` and percent-decodes both parts once. Hand-written because a URL
 * parser would resolve `..`; paths that could leave the skill are refused.
 */
export function parseSkillUrl(url: string): Outcome<SkillUrl> {
  if (url.length > MAX_URL_LENGTH) return refuse(`is longer than ${MAX_URL_LENGTH} characters`);
  const rest = /^skill:\/\/(.*)$/is.exec(url)?.[1];
  if (rest === undefined)
    return refuse('must start with skill://', { advice: 'Write skill://<name> or skill://<name>/<path>.' });
  const slash = rest.indexOf('/');
  const rawName = slash === -1 ? rest : rest.slice(0, slash);
  const refusal = refuseUrl(rest, rawName);
  if (refusal !== undefined) return refusal;
  const name = decodePart('name', rawName);
  if (!name.ok) return name;
  if (slash === -1) return { ok: true, name: name.text, path: undefined };
  const path = decodePart('path', rest.slice(slash + 1));
  return path.ok ? { ok: true, name: name.text, path: path.text } : path;
}

/** The URL of a skill's SKILL.md, or of a file inside the skill. */
export function formatSkillUrl(name: string, path?: string): string {
  const segments = path === undefined ? [] : path.split('/');
  return `skill://${[name, ...segments].map((part) => encodeURIComponent(part.toWellFormed())).join('/')}`;
}

/** The directory of a skill as models are told it: a URL if it is no place on disk. */
export function directoryOf(skill: Pick<Skill, 'name' | 'dir' | 'source'>): string {
  return isFromSource(skill) ? formatSkillUrl(skill.name) : skill.dir;
}

function refuseUrl(rest: string, rawName: string): Failure | undefined {
  if (!rest.isWellFormed()) return refuse('contains an unpaired surrogate');
  if (rest.includes('?')) return refuse('has a query', { advice: 'Write ? as %3F.' });
  if (rest.includes('#')) return refuse('has a fragment', { advice: 'Write # as %23.' });
  if (rawName === '') return refuse('has no name', { advice: 'Write skill://<name>.' });
  if (rawName.includes('@')) return refuse('has a user', { advice: 'Write @ as %40.' });
  if (rawName.includes(':')) return refuse('has a port', { advice: 'Write : as %3A.' });
  return undefined;
}

function decodePart(part: 'name' | 'path', raw: string): Outcome<{ readonly text: string }> {
  const text = decodePercent(raw);
  if (text === undefined)
    return refuse(`has a % in its ${part} that does not encode a character`, { advice: 'Write % as %25.' });
  // Decoding removes no segment, so checking the decoded text is enough.
  const fault = findPathFault(text);
  return fault === undefined ? { ok: true, text } : refuse(`is refused: its ${part} ${fault}`);
}

function refuse(reason: string, next?: NextStep): Failure {
  return fail('PATH_REFUSED', `the skill:// URL ${reason}`, next);
}
