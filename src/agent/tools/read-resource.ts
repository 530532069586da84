import { basename } from 'node:path';

import type { ResourceContent } from '../../activate/resources.ts';
import { parseSkillUrl } from '../../activate/skill-url.ts';
import type { ToolResult } from '../../activate/toolsets/tool.ts';
import type { Skills } from '../../engine/open-skills.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import type { Skill } from '../../model/skill.ts';
import { defineAgentTool, type AgentTool } from '../agent-tool.ts';
import { MAX_PAGE_LENGTH, pageOf, type TextPage } from '../text-page.ts';
import { countField, flagField, optional, textField } from '../tool-fields.ts';
import { failUnknown, findVisible, visibleSkills, type CatalogHolder } from '../visible-skills.ts';

const FIELDS = {
  url: optional(textField('skill://<name>/<path>, or skill://<name> for its SKILL.md.')),
  name: optional(textField('Instead of a URL: the name of the skill.')),
  path: optional(textField('With a name: the path inside the skill directory, such as references/tables.md.')),
  offset: optional(countField('Where to begin, in characters, to read on in a long file.', { minimum: 0 })),
  base64: optional(flagField('Gives a file that is no text as base64; without it such a file is only described.')),
};

export function readResourceTool(skills: Pick<Skills, 'catalog' | 'loader'>): AgentTool {
  return defineAgentTool('read_skill_resource', {
    description:
      'Reads a file of a skill. Use it for the files that the instructions of a skill name, when you need them. ' +
      'Give a url, or a name and a path.',
    fields: FIELDS,
    execute({ url, name, path, offset, base64 = false }) {
      const place = url === undefined ? findByName(skills, name, path) : findByUrl(skills, url);
      if (!place.ok) return place;
      const read = skills.loader.readResource(place.skill.name, place.path ?? basename(place.skill.file));
      return read.ok ? present(read, { offset, base64 }) : read;
    },
  });
}

interface Place {
  readonly skill: Skill;
  /** Undefined for the SKILL.md. */
  readonly path: string | undefined;
}

function findByName(skills: CatalogHolder, name: string | undefined, path: string | undefined): Outcome<Place> {
  if (name === undefined)
    return fail(
      'TOOLSET_FAILED',
      'read_skill_resource: the arguments are wrong: give a "url", or a "name" and a "path"',
    );
  const found = findVisible(skills, name);
  return found.ok ? { ...found, path } : found;
}

/** In a URL the name must be spelled exactly. */
function findByUrl(skills: CatalogHolder, url: string): Outcome<Place> {
  const parsed = parseSkillUrl(url);
  if (!parsed.ok) return parsed;
  const visible = visibleSkills(skills);
  const skill = visible.find(({ name }) => name === parsed.name);
  return skill === undefined ? failUnknown(visible, parsed.name) : { ok: true, skill, path: parsed.path };
}

interface Wish {
  readonly offset: number | undefined;
  readonly base64: boolean;
}

/** All that we say comes first: whatever stands below is the file's own. */
function present(content: ResourceContent, { offset, base64 }: Wish): Outcome<ToolResult> {
  const { url, contentType, size } = content;
  const facts = `${contentType}, ${size} bytes`;
  const result = { ok: true, title: url, metadata: { url, contentType, size } } as const;
  if (content.text !== undefined) {
    const page = pageOf(content.text, offset);
    return { ...result, output: `${url} (${facts}${describePart(page, content.text)})\n\n${page.text}` };
  }
  if (!base64)
    return { ...result, output: `${url} (${facts}) is no text. Ask for base64 where you can use its bytes.` };
  if (content.base64.length > MAX_PAGE_LENGTH)
    return { ...result, output: `${url} (${facts}) is no text, and too large to be given as base64.` };
  return { ...result, output: `${url} (${facts}, base64)\n\n${content.base64}` };
}

function describePart({ start, end, next, isWhole }: TextPage, text: string): string {
  if (isWhole) return '';
  return `; characters ${start} to ${end} of ${text.length}${next === undefined ? '' : `, read on with offset ${next}`}`;
}
