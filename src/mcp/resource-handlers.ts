import type { McpServer, Resource } from '@modelcontextprotocol/server';
import { SkillsExtension } from '@modelcontextprotocol/server/ext/skills';

import { harmlessLine } from '../disclose/harmless.ts';
import type { Skills } from '../engine/open-skills.ts';
import type { Skill } from '../model/skill.ts';
import type { SkillLibrary } from '../publish/skill-library.ts';
import { listPage } from './list-page.ts';
import { invalidParams, shielded } from './protocol-failure.ts';
import { MANIFEST_TYPE, skillSource } from './skill-source.ts';

/** Claude Code gives its model a tool that lists resources: a page must not fill the conversation. */
const RESOURCES_PER_PAGE = 100;

export interface SkillResources {
  /** Serves the skills as resources and through the Skills extension. Call it before the server is connected. */
  attach(server: McpServer): void;
}

/** Shared by all connections, so that files are hashed only once. */
export function openSkillResources(skills: Skills, onError: (error: unknown) => void): SkillResources {
  const library = openLazily(skills);
  const source = skillSource(library);
  const onWarning = ({ path, message }: { readonly path: string; readonly message: string }): void =>
    onError(new Error(`${path}: ${message}`));
  const extension = new SkillsExtension({ source, onWarning });
  return {
    attach(mcp) {
      extension.attach(mcp);
      // The SDK's handlers resolve `..` in a URI before it can be refused, and return all resources in one page.
      const { server } = mcp;
      server.setRequestHandler(
        'resources/list',
        shielded(async ({ params }) => listResources(await library(), params?.cursor), onError),
      );
      server.setRequestHandler(
        'resources/read',
        shielded(async ({ params: { uri } }, context) => {
          const read = await source.read(uri, context);
          if (read === undefined) throw invalidParams(`Resource not found: ${uri.slice(0, SHOWN_LENGTH)}`, { uri });
          const { mimeType = 'application/octet-stream' } = read;
          const content = 'text' in read ? { text: read.text } : { blob: Buffer.from(read.bytes).toString('base64') };
          return { contents: [{ uri, mimeType, ...content }] };
        }, onError),
      );
    },
  };
}

const SHOWN_LENGTH = 200;

/** Lazy: clients that use only tools never need hashing and YAML. */
function openLazily(skills: Skills): () => Promise<SkillLibrary> {
  let opened: Promise<SkillLibrary> | undefined;
  return () => {
    opened ??= import('../publish/skill-library.ts').then(({ openSkillLibrary }) => openSkillLibrary(skills));
    return opened;
  };
}

function listResources(
  library: SkillLibrary,
  cursor: string | undefined,
): { readonly resources: Resource[]; readonly nextCursor?: string } {
  const page = listPage(library.skills(), cursor, { size: RESOURCES_PER_PAGE, keyOf: ({ name }) => name });
  const resources = page.items.map((skill) => toResource(library, skill));
  return page.nextCursor === undefined ? { resources } : { resources, nextCursor: page.nextCursor };
}

function toResource(library: SkillLibrary, skill: Skill): Resource {
  const { name, title, brief, stamp } = skill;
  return {
    uri: library.uriOf(skill),
    name,
    title: harmlessLine(title),
    description: harmlessLine(brief),
    mimeType: MANIFEST_TYPE,
    size: stamp.size,
  };
}
