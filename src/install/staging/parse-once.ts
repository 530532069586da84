import { basename } from 'node:path';

import { parseSkill, type ParseOptions, type ParseOutcome } from '../../parse/parse-skill.ts';

type ParsedSkill = Extract<ParseOutcome, { readonly ok: true }>;

/** Skills that are the same in every place, by the bytes of their SKILL.md. */
const known = new WeakMap<Uint8Array, ParsedSkill>();

/**
 * Parses a SKILL.md of an origin. It is needed where it was found and again where it is written; the second time, only its
 * place is new. The bytes must be those that a repository keeps: they never change.
 */
export function parseOnce(bytes: Uint8Array, place: Required<Pick<ParseOptions, 'dir' | 'file'>>): ParseOutcome {
  const before = known.get(bytes);
  if (before !== undefined) return { ...before, skill: { ...before.skill, ...place, id: basename(place.dir) } };
  const parsed = parseSkill(bytes, place);
  // Flaws name the file, and a skill without a name is called like its folder.
  if (parsed.ok && parsed.skill.isNamed && parsed.skill.diagnostics.length === 0) known.set(bytes, parsed);
  return parsed;
}
