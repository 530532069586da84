import { dirname } from 'node:path';

import type { Outcome } from '../model/outcome.ts';
import { SKILL_FILE } from '../parse/skill-file.ts';
import { linkToolPackages } from '../platform/packages/tool-packages.ts';
import { fillTemplate, type TemplateStep, type TemplateName } from './skill-templates.ts';
import type { SkillWriting } from './skill-writing.ts';
import type { WrittenSkill } from './write-skill.ts';

export interface NewSkillOptions {
  readonly description?: string | undefined;
  /** The files to start from; `basic` by default. */
  readonly template?: TemplateName | undefined;
  /** Creates it in the project's `.agents/skills`; false by default. */
  readonly project?: boolean | undefined;
}

export interface NewSkill extends WrittenSkill {
  /** The skill's directory. */
  readonly dir: string;
  /** The paths of its files, relative to the directory. */
  readonly files: readonly string[];
  /** Operations to try on the new skill, in this order. */
  readonly next: readonly TemplateStep[];
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
  const dir = dirname(created.path);
  if (template === 'toolset') linkToolPackages(dirname(dir));
  const needsTrust = project && (template === 'script' || template === 'toolset');
  return {
    ...created,
    dir,
    files: [SKILL_FILE, ...files.map(({ path }) => path)],
    next: [
      { operation: 'validate', dir },
      ...(needsTrust ? [{ operation: 'trust' as const, skill: created.id }] : []),
      ...tries,
    ],
  };
}
