import { fail, type Failure, type Outcome } from '../model/outcome.ts';
import { findPathFault } from '../platform/files/inside.ts';

/** What a `skill://` URL names: a skill's SKILL.md, or a file inside the skill. */
export interface SkillUrl {
  readonly name: string;
  readonly path: string | undefined;
}

/** The longest path of Linux with every byte percent-encoded, and room for a name. */
const MAX_URL_LENGTH: number = 16 * 1024;

/**
 * Reads `skill://<name>` or `skill://<name>/<path>`, both percent-decoded once. By hand: a URL parser would resolve
 * `..` before anybody could refuse it. Whatever could lead out of a skill is refused here, before a file is touched.
 */
export function parseSkillUrl(url: string): Outcome<SkillUrl> {
  if (url.length > MAX_URL_LENGTH) return refuse(`is longer than ${MAX_URL_LENGTH} characters`);
  const rest = /^skill:\/\/(.*)$/is.exec(url)?.[1];
  if (rest === undefined) return refuse('is none; write skill://<name> or skill://<name>/<path>');
  const slash = rest.indexOf('/');
  const rawName = slash === -1 ? rest : rest.slice(0, slash);
  const fault = findUrlFault(rest, rawName);
  if (fault !== undefined) return refuse(fault);
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

function findUrlFault(rest: string, rawName: string): string | undefined {
  if (!rest.isWellFormed()) return 'holds half a surrogate pair';
  if (rest.includes('?')) return 'has a query; write ? as %3F';
  if (rest.includes('#')) return 'has a fragment; write # as %23';
  if (rawName === '') return 'has no name; write skill://<name>';
  if (rawName.includes('@')) return 'has a user; write @ as %40';
  if (rawName.includes(':')) return 'has a port; write : as %3A';
  return undefined;
}

function decodePart(part: 'name' | 'path', raw: string): Outcome<{ readonly text: string }> {
  const text = percentDecode(raw);
  if (text === undefined) return refuse(`holds a % that begins no UTF-8 character in its ${part}; write % as %25`);
  // Decoding takes no segment away: a fault of the raw text is one of the decoded text, too.
  const fault = findPathFault(text);
  return fault === undefined ? { ok: true, text } : refuse(`is refused: its ${part} ${fault}`);
}

function percentDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function refuse(reason: string): Failure {
  return fail('PATH_REFUSED', `the skill:// URL ${reason}`);
}
