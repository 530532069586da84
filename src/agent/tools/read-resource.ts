import { basename } from 'node:path';

import type { ResourceContent } from '../../activate/resources.ts';
import { parseSkillUrl } from '../../activate/skill-url.ts';
import type { ToolResult } from '../../activate/toolsets/tool.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import type { Skill } from '../../model/skill.ts';
import { defineAgentTool, READ_ONLY, type AgentTool } from '../agent-tool.ts';
import type { LoadableCatalog } from '../skill-pool.ts';
import { MAX_PAGE_LENGTH, textPage, type TextPage } from '../text-page.ts';
import { countField, flagField, optional, textField } from '../tool-fields.ts';
import { COUNT, OUTPUT, outputSchema, TEXT } from '../tool-output.ts';
import { failUnknown } from '../unknown-skill.ts';
import { findVisible, lookTwice, visibleSkills, type CatalogHolder } from '../visible-skills.ts';

export function readResourceTool(skills: LoadableCatalog): AgentTool {
  return defineAgentTool({
    name: 'read_skill_resource',
    title: 'Read a file of a skill',
    description:
      "Use this when you need a file that a skill's instructions refer to. Pass either url, or name and path. " +
      'Returns the type and size of the file, then its text.',
    annotations: READ_ONLY,
    input: {
      url: optional(textField('skill://<name>/<path>, or skill://<name> for the SKILL.md.')),
      name: optional(textField('The name of the skill, if you pass no url.')),
      path: optional(
        textField('With name: the path inside the skill directory, such as references/tables.md. Default: SKILL.md.'),
      ),
      offset: optional(countField('Where to start, in characters. Use it to continue a long file.', { minimum: 0 })),
      base64: optional(flagField('Return a binary file as base64. Otherwise a binary file is only described.')),
    },
    output: outputSchema({ url: TEXT, contentType: TEXT, size: COUNT, output: OUTPUT }),
    async execute({ url, name, path, offset, base64 = false }) {
      const place = await lookTwice(skills, () =>
        url === undefined ? findByName(skills, name, path) : findByUrl(skills, url),
      );
      if (!place.ok) return place;
      const read = await skills.serving.readResource(place.skill.name, place.path ?? basename(place.skill.file));
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
    return fail('TOOLSET_FAILED', 'read_skill_resource: the arguments are wrong: pass "url", or "name" and "path"');
  const found = findVisible(skills, name);
  return found.ok ? { ...found, path } : found;
}

/** The name in a URL must match exactly. */
function findByUrl(skills: CatalogHolder, url: string): Outcome<Place> {
  const parsed = parseSkillUrl(url);
  if (!parsed.ok) return parsed;
  const visible = visibleSkills(skills);
  const skill = visible.find(({ name }) => name === parsed.name);
  return skill === undefined ? failUnknown(visible, parsed.name) : { ok: true, skill, path: parsed.path };
}

interface Presentation {
  readonly offset: number | undefined;
  readonly base64: boolean;
}

/** Our own line comes first: everything below it is the file's text. */
function present(content: ResourceContent, { offset, base64 }: Presentation): Outcome<ToolResult> {
  const { url, contentType, size } = content;
  const facts = `${contentType}, ${size} bytes`;
  const result = { ok: true, title: url, metadata: { url, contentType, size } } as const;
  if (content.text !== undefined) {
    const page = textPage(content.text, offset);
    return { ...result, output: `${url} (${facts}${describePart(page, content.text)})\n\n${page.text}` };
  }
  if (!base64)
    return { ...result, output: `${url} (${facts}) is a binary file. Set base64 to true if you can use its bytes.` };
  if (content.base64.length > MAX_PAGE_LENGTH)
    return { ...result, output: `${url} (${facts}) is a binary file that is too large to return as base64.` };
  return { ...result, output: `${url} (${facts}, base64)\n\n${content.base64}` };
}

function describePart({ start, end, next, isWhole }: TextPage, text: string): string {
  if (isWhole) return '';
  return `; characters ${start} to ${end} of ${text.length}${next === undefined ? '' : `; continue with offset ${next}`}`;
}
