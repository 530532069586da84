import type { SkillWriting, WritingParts } from '../author/skill-writing.ts';

/** Writing skills, loaded at the first change: opening skills should not pay for the writer. */
export function openWritingLater(parts: WritingParts): SkillWriting {
  let opened: Promise<SkillWriting> | undefined;
  const open = (): Promise<SkillWriting> =>
    (opened ??= import('../author/skill-writing.ts').then(({ openSkillWriting }) => openSkillWriting(parts)));
  return {
    create: async (draft, options) => (await open()).create(draft, options),
    update: async (name, changes, options) => (await open()).update(name, changes, options),
    remove: async (name, options) => (await open()).remove(name, options),
    putByAgent: async (draft) => (await open()).putByAgent(draft),
  };
}
