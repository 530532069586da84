import type { Resource } from '@modelcontextprotocol/server';
import type { Skill as SkillEntry, SkillSource } from '@modelcontextprotocol/server/ext/skills';

import { failForModel } from '../agent/model-text.ts';
import { harmlessLine } from '../disclose/harmless.ts';
import type { Skill } from '../model/skill.ts';
import type { LibraryEntry, SkillLibrary } from '../publish/skill-library.ts';
import { listPage } from './list-page.ts';
import { invalidParams } from './protocol-failure.ts';

const SKILLS_PER_PAGE = 100;
const ENTRIES_PER_PAGE = 500;
const DIRECTORY_TYPE = 'inode/directory';
export const MANIFEST_TYPE = 'text/markdown';

/**
 * The skills of the library for the SDK's Skills extension. Skills that the extension cannot carry are left out;
 * `doctor` names them and says why.
 */
export function skillSource(openLibrary: () => Promise<SkillLibrary>): SkillSource {
  return {
    async list({ cursor }) {
      const library = await openLibrary();
      const { items, nextCursor } = listPage(library.skills(), cursor, { size: SKILLS_PER_PAGE, keyOf: nameOf });
      const entries = await Promise.all(items.map((skill) => describeSkill(library, skill)));
      const carried = entries.filter((entry) => entry !== undefined);
      return { skills: carried, ...(nextCursor === undefined ? {} : { nextCursor }) };
    },
    async get(uri) {
      const library = await openLibrary();
      const skill = library.find(uri);
      return skill && describeSkill(library, skill);
    },
    async read(uri) {
      const read = await (await openLibrary()).read(uri);
      if (!read.ok && read.code === 'AUDIT_REFUSED') throw invalidParams(failForModel(read).message, { uri });
      if (!read.ok) return undefined;
      const { contentType: mimeType, text, base64 } = read;
      return text === undefined ? { bytes: Buffer.from(base64, 'base64'), mimeType } : { text, mimeType };
    },
    async readDirectory(uri, { cursor }) {
      const entries = (await openLibrary()).directory(uri);
      if (entries === undefined) return undefined;
      const { items, nextCursor } = listPage(entries, cursor, { size: ENTRIES_PER_PAGE, keyOf: (entry) => entry.uri });
      return { resources: items.map(toResource), ...(nextCursor === undefined ? {} : { nextCursor }) };
    },
  };
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}

/** Of a withheld skill, a list shows only the name and the description. */
async function describeSkill(library: SkillLibrary, skill: Skill): Promise<SkillEntry | undefined> {
  const published = library.publish(skill);
  if (!published.ok) return undefined;
  const { uri, frontmatter, resources } = published;
  const admitted = await library.admit(skill);
  // The publisher has checked that both are strings.
  const [name, description] = [String(frontmatter['name']), String(frontmatter['description'])];
  const shown = admitted.ok ? { ...frontmatter, name, description } : { name, description: harmlessLine(description) };
  return { uri, frontmatter: shown, resources: resources.map((resource) => ({ ...resource })) };
}

function toResource({ uri, name, size }: LibraryEntry): Resource {
  if (size === undefined) return { uri, name, mimeType: DIRECTORY_TYPE };
  return { uri, name, size, ...(name === 'SKILL.md' ? { mimeType: MANIFEST_TYPE } : {}) };
}
