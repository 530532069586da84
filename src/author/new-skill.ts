import { dirname } from 'node:path';

import type { Outcome } from '../model/outcome.ts';
import { fillTemplate, TEMPLATES, type TemplateName } from './skill-templates.ts';
import type { SkillWriting } from './skill-writing.ts';
import type { WrittenSkill } from './write-skill.ts';

export interface NewSkillOptions {
  readonly description?: string | undefined;
  /** What it brings to start from; `basic`. */
  readonly template?: TemplateName | undefined;
  /** In the project's `.agent/skills`; false. */
  readonly project?: boolean | undefined;
}

export interface NewSkill extends WrittenSkill {
  /** The skill's directory. */
  readonly dir: string;
  /** Every file it has now, by path inside. */
  readonly files: readonly string[];
  /** What to do next, as command lines. */
  readonly next: readonly string[];
}

/** Creates a skill from a template. */
export async function newSkill(
  skills: { readonly writing: SkillWriting },
  name: string,
  { description, template = 'basic', project = false }: NewSkillOptions = {},
): Promise<Outcome<NewSkill>> {
  const { draft, files, tries } = fillTemplate(template, { name, description });
  const created = await skills.writing.create(draft, { project, files });
  if (!created.ok) return created;
  const runs = template === 'script' || template === 'toolset';
  const trusting = project && runs ? [`trust ${created.id}`] : [];
  const dir = dirname(created.path);
  return {
    ...created,
    dir,
    files: ['SKILL.md', ...files.map(({ path }) => path)],
    next: [`validate ${quoteWord(dir)}`, ...trusting, ...tries].map((command) => `skillplane ${command}`),
  };
}

export function isTemplate(name: string): name is TemplateName {
  return TEMPLATES.some((template) => template === name);
}

/** For a shell. */
function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
