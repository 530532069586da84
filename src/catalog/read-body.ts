import type { SkillDefinition } from '../model/skill.ts';
import { fromFile } from '../sources/from-file.ts';

/** The instructions of a skill; empty if they can no longer be read. */
export function readBody({ file }: Pick<SkillDefinition, 'file'>): string {
  const read = fromFile(file);
  return read.ok ? read.body : '';
}
