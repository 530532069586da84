import type { SkillWriting } from '../author/skill-writing.ts';

/** The writing rights of an agent: its skills are marked as written by an agent, and it changes or removes only such skills. */
export function agentWriting(writing: SkillWriting): SkillWriting {
  return {
    ...writing,
    create: (draft, options) => writing.create(draft, { ...options, ...AGENT_RIGHTS }),
    update: (name, changes, options) => writing.update(name, changes, { ...options, ...AGENT_RIGHTS }),
    remove: (name, options) => writing.remove(name, { ...options, ...AGENT_RIGHTS }),
  };
}

/** A project's skills may claim anything about their author. */
const AGENT_RIGHTS = { by: 'agent', project: false } as const;
