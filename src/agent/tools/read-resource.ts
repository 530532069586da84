import { basename } from 'node:path';

import type { ResourceContent } from '../../activate/resources.ts';
import { directoryOf, parseSkillUrl } from '../../activate/skill-url.ts';
import type { ToolResult } from '../../activate/toolsets/tool.ts';
import { visibleText } from '../../disclose/harmless.ts';
import type { Skills } from '../../engine/open-skills.ts';
import { listSome } from '../../model/list-some.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import type { Skill } from '../../model/skill.ts';
import { defineAgentTool, READ_ONLY, type AgentTool } from '../agent-tool.ts';
import { MAX_PAGE_LENGTH, textPage } from '../text-page.ts';
import { countField, flagField, hidden, nameField, optional, textField, type ToolField } from '../tool-fields.ts';
import { COUNT, OUTPUT, outputSchema, TEXT } from '../tool-output.ts';
import { failUnknown } from '../unknown-skill.ts';
import { explainBroken, findVisible, lookTwice, visibleSkills, type CatalogHolder } from '../visible-skills.ts';

const pathField: ToolField<string> = {
  ...textField('The path inside the skill, such as references/tables.md.'),
  aliases: ['file', 'file_path'],
};

/** The schema asks for it, but the tool can do without. */
function wanted<T>(field: ToolField<T>): ToolField<T | undefined> {
  return { ...optional(field), isRequired: true };
}

export function readResourceTool(skills: Skills): AgentTool {
  return defineAgentTool({
    name: 'read_skill_resource',
    title: 'Read a file of a skill',
    description: 'Reads one file of a skill, when the instructions of the skill refer to it. Returns its text.',
    annotations: READ_ONLY,
    input: {
      name: wanted(nameField()),
      path: wanted(pathField),
      offset: optional(
        countField('Only to continue a long file: the number that the last answer named.', { minimum: 0 }),
      ),
      url: hidden(textField('skill://<name>/<path>, or skill://<name> for the SKILL.md.')),
      base64: hidden(flagField('Return a binary file as base64.')),
    },
    output: outputSchema({ url: TEXT, contentType: TEXT, size: COUNT, output: OUTPUT }),
    async execute({ url, name, path, offset, base64 = false }) {
      const place = await lookTwice(skills, () =>
        url === undefined ? findByName(skills, name, path) : findByUrl(skills, url),
      );
      if (!place.ok) return place;
      const { skill } = place;
      const inside = place.path === undefined ? basename(skill.file) : withoutDirectory(place.path, directoryOf(skill));
      const read = await skills.serving.readResource(skill.name, inside);
      if (read.ok) return present(read, { path: inside, offset, base64 });
      return (read.code === 'AUDIT_REFUSED' ? undefined : explainFolder(skills, skill.name, inside)) ?? read;
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
      'read_skill_resource takes {"name": "<name>", "path": "<path>"}; the name is missing',
    );
  const found = findVisible(skills, name);
  return found.ok ? { ...found, path } : found;
}

/** The name in a URL must match exactly. */
function findByUrl(skills: CatalogHolder, url: string): Outcome<Place> {
  const parsed = parseSkillUrl(url);
  if (!parsed.ok) return parsed;
  const visible = visibleSkills(skills);
  const skill = visible.find(({ name }) => name === parsed.name);
  if (skill !== undefined) return { ok: true, skill, path: parsed.path };
  return explainBroken(skills, parsed.name) ?? failUnknown(visible, parsed.name);
}

/** Our own answers name the directory of a skill, so models send absolute paths. */
function withoutDirectory(path: string, dir: string): string {
  return path.startsWith(`${dir}/`) ? path.slice(dir.length + 1) : path;
}

/** Lists the files of a folder that was asked for as if it were a file; undefined if it is none. */
function explainFolder({ serving }: Pick<Skills, 'serving'>, name: string, path: string): Failure | undefined {
  const listed = serving.resources(name);
  const folder = path.replace(/\/$/, '');
  const files = listed.ok
    ? listed.resources.map((file) => file.path).filter((file) => file.startsWith(`${folder}/`))
    : [];
  if (files.length === 0) return undefined;
  const shown = listSome(files.map(visibleText), { most: MAX_LISTED_FILES });
  return fail('RESOURCE_NOT_FOUND', `${visibleText(folder)} is a folder of this skill. Its files: ${shown}`);
}

const MAX_LISTED_FILES = 30;

interface Presentation {
  readonly path: string;
  readonly offset: number | undefined;
  readonly base64: boolean;
}

/** Our own line comes first: everything below it is the file's text, up to the line that says how to continue. */
function present(content: ResourceContent, { path, offset, base64 }: Presentation): Outcome<ToolResult> {
  const { url, contentType, size } = content;
  const result = { ok: true, title: url, metadata: { url, contentType, size } } as const;
  if (content.text !== undefined) {
    const page = textPage(content.text, offset);
    const part = page.isWhole ? '' : `, characters ${page.start} to ${page.end} of ${content.text.length}`;
    const more =
      page.next === undefined ? '' : `\n[To continue, call read_skill_resource again with offset ${page.next}.]`;
    return { ...result, output: `${url} (${contentType}, ${size} bytes${part})\n\n${page.text}${more}` };
  }
  const facts = `${visibleText(path)} is not text (${contentType}, ${size} bytes)`;
  if (!base64) return { ...result, output: `${facts}: a script of the skill can use it, you cannot read it here.` };
  if (content.base64.length > MAX_PAGE_LENGTH)
    return { ...result, output: `${facts}, and too large to return as base64.` };
  return { ...result, output: `${url} (${contentType}, ${size} bytes, base64)\n\n${content.base64}` };
}
