import { defaultDescription } from '../author/own-frontmatter.ts';
import type { SkillChanges } from '../author/skill-draft.ts';
import type { Skills } from '../engine/open-skills.ts';
import type { Outcome } from '../model/outcome.ts';
import type { CtxFailure, CtxWriteAnswer } from './answer.ts';
import { failNotFound, findWritten } from './find-target.ts';
import type { Statement } from './statement.ts';

type Written = Promise<CtxWriteAnswer | CtxFailure>;

/** `+s` */
export async function answerStore(skills: Skills, statement: Statement): Written {
  const { target: name = '', pairs } = statement;
  const { content = '' } = pairs;
  const description = pairs['description'] ?? defaultDescription(content, name);
  return toAnswer(await skills.writing.create({ ...readChanges(statement), name, description, body: content }));
}

/** `~s`: fields that the statement does not name stay. */
export async function answerUpdate(skills: Skills, statement: Statement): Written {
  const { target = '' } = statement;
  const found = findWritten(skills, target);
  return found.ok ? toAnswer(await skills.writing.update(found.skill.name, readChanges(statement))) : found;
}

/** `-s`: only skills that were stored here, never those of another source. */
export async function answerRemove(skills: Skills, { target = '' }: Statement): Written {
  const found = findWritten(skills, target);
  if (!found.ok) return found;
  const removed = await skills.writing.remove(found.skill.name);
  return !removed.ok && removed.code === 'SKILL_NOT_FOUND' ? failNotFound(skills, target) : toAnswer(removed);
}

/** `#tag` and `@domain` mean the same as the pairs `tags` and `domain`. */
function readChanges({ tags, domain, pairs }: Statement): SkillChanges {
  const listed = (pairs['tags'] ?? '').split(',').map((tag) => tag.trim());
  const all = [...new Set([...listed, ...tags])].filter((tag) => tag !== '');
  return {
    description: pairs['description'],
    body: pairs['content'],
    tags: pairs['tags'] === undefined && tags.length === 0 ? undefined : all,
    domain: domain ?? pairs['domain'],
    version: pairs['version'],
  };
}

function toAnswer(written: Outcome<{ readonly id: string; readonly path: string }>): CtxWriteAnswer | CtxFailure {
  return written.ok ? { ok: true, id: written.id, path: written.path } : written;
}
