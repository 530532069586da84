import type { ReadAnswer } from '../console-context.ts';
import { WHATEVER } from './describe-skill.ts';

/** More would be slow to draw, and few people read on. */
const MOST_CHARACTERS = 200_000;

/** One file of a skill as text. */
export const previewFile: ReadAnswer<'skill/file'> = async ({ skills }, { name, path }) => {
  const read = skills.loader.readResource(name, path, WHATEVER);
  if (!read.ok) return read;
  const { size, contentType, text } = read;
  const isCut = text !== undefined && text.length > MOST_CHARACTERS;
  return { ok: true, path, size, contentType, text: text?.slice(0, MOST_CHARACTERS) ?? null, isCut };
};
