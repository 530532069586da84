import type { SkillFolder } from '../../model/folder.ts';
import { validateFolder } from '../../parse/strict/validate.ts';
import { refuses, type GivingTarget, type TargetFinding } from './target.ts';

/** The Agent Skills specification, as its reference validator reads it. */
export const specification: GivingTarget = {
  id: 'spec',
  title: 'specification',
  seenIn: 'agentskills 69ef37e',
  judge: ({ folder }) => judgeBySpecification(folder),
};

/** Everything that the specification does not allow. */
export function judgeBySpecification(folder: SkillFolder): readonly TargetFinding[] {
  return validateFolder(folder, { spec: true }).errors.map(({ code, message }) =>
    refuses(message, code === 'UNKNOWN_FIELD' ? { do: 'fix', with: { spec: true } } : undefined),
  );
}
