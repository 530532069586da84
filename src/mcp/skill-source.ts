import type { Resource } from '@modelcontextprotocol/server';
import type { Skill as SkillEntry, SkillSource } from '@modelcontextprotocol/server/ext/skills';

import { failForModel, failureText } from '../agent/model-text.ts';
import type { PublishedSkill } from '../publish/publisher.ts';
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
      const published = items.map((skill) => library.publish(skill)).filter((outcome) => outcome.ok);
      return { skills: published.map(toEntry), ...(nextCursor === undefined ? {} : { nextCursor }) };
    },
    async get(uri) {
      const library = await openLibrary();
      const skill = library.find(uri);
      const published = skill && library.publish(skill);
      return published?.ok === true ? toEntry(published) : undefined;
    },
    async read(uri) {
      const read = await (await openLibrary()).read(uri);
      if (!read.ok && read.code === 'AUDIT_REFUSED') throw invalidParams(failureText(failForModel(read)), { uri });
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

function toEntry({ uri, frontmatter, resources }: PublishedSkill): SkillEntry {
  // The publisher has checked that both are strings.
  const { name, description } = frontmatter;
  return {
    uri,
    frontmatter: { ...frontmatter, name: String(name), description: String(description) },
    resources: resources.map((resource) => ({ ...resource })),
  };
}

function toResource({ uri, name, size }: LibraryEntry): Resource {
  if (size === undefined) return { uri, name, mimeType: DIRECTORY_TYPE };
  return { uri, name, size, ...(name === 'SKILL.md' ? { mimeType: MANIFEST_TYPE } : {}) };
}
