import { MAX_PAGE_LENGTH, textPage } from '../agent/text-page.ts';
import type { Skills } from '../engine/open-skills.ts';
import { fail } from '../model/outcome.ts';
import type { CtxFailure, CtxResourceAnswer } from './answer.ts';

export interface FileStatement {
  /** The id and the name of the skill. */
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly offset: string | undefined;
}

/** `!s name/path`: within the same limits as `read_skill_resource`. */
export async function answerRead(
  skills: Pick<Skills, 'serving'>,
  statement: FileStatement,
): Promise<CtxResourceAnswer | CtxFailure> {
  const { id, name, offset } = statement;
  const path = findSpelling(skills, statement);
  const read = await skills.serving.readResource(name, path);
  if (!read.ok) return read;
  const { url, contentType, size, text, base64 } = read;
  const answer = { ok: true, resource: { skill: id, path, url, contentType, size } } as const;
  if (text !== undefined) {
    const page = textPage(text, Number(offset ?? 0));
    return { ...answer, content: page.text, ...(page.next === undefined ? {} : { next: page.next }) };
  }
  if (offset !== undefined) return failOffset();
  if (base64.length <= MAX_PAGE_LENGTH) return { ...answer, base64 };
  return fail(
    'PATH_REFUSED',
    `${url} (${contentType}, ${size} bytes) is a binary file that is too large to return as base64`,
    { advice: 'Load the skill to learn its directory, and read the file there.' },
  );
}

export function failOffset(): CtxFailure {
  return fail('CTX_INVALID', 'offset is only for text files of a skill', { leaveOut: 'offset' });
}

/** The path as it is on disk: statements are in NFC, and names of files need not be. */
function findSpelling({ serving }: Pick<Skills, 'serving'>, { name, path }: FileStatement): string {
  if (!/[^\0-\x7F]/.test(path)) return path;
  const listed = serving.resources(name);
  const paths = listed.ok ? listed.resources.map((resource) => resource.path) : [];
  return paths.includes(path) ? path : (paths.find((candidate) => candidate.normalize('NFC') === path) ?? path);
}
