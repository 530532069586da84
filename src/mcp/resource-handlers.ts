import type { McpServer, Resource } from '@modelcontextprotocol/server';
import { SkillsExtension } from '@modelcontextprotocol/server/ext/skills';

import type { Skills } from '../engine/open-skills.ts';
import type { Skill } from '../model/skill.ts';
import type { SkillLibrary } from '../publish/skill-library.ts';
import { pageOf } from './page.ts';
import { invalidParams, shielded } from './protocol-failure.ts';
import { MANIFEST_TYPE, skillSource } from './skill-source.ts';

const RESOURCES_PER_PAGE = 1_000;

export interface SkillResources {
  /** Serves the skills as resources and through the Skills extension; to be called before the server is connected. */
  attach(server: McpServer): void;
}

/** One for all connections: what was hashed for one client need not be hashed for the next. */
export function openSkillResources(skills: Skills, onError: (error: unknown) => void): SkillResources {
  const library = openLazily(skills);
  const source = skillSource(library);
  const onWarning = ({ path, message }: { readonly path: string; readonly message: string }): void =>
    onError(new Error(`${path}: ${message}`));
  const extension = new SkillsExtension({ source, onWarning });
  return {
    attach(mcp) {
      extension.attach(mcp);
      // The SDK would resolve `..` in a URI before anybody could refuse it, and gives all resources at once.
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

/** Hashing and YAML are loaded where they are first needed: clients that know tools alone never do. */
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
  const page = pageOf(library.skills(), cursor, { size: RESOURCES_PER_PAGE, keyOf: ({ name }) => name });
  const resources = page.items.map((skill) => toResource(library, skill));
  return page.nextCursor === undefined ? { resources } : { resources, nextCursor: page.nextCursor };
}

function toResource(library: SkillLibrary, skill: Skill): Resource {
  const { name, title, description, brief, stamp } = skill;
  return {
    uri: library.uriOf(skill),
    name,
    title,
    description: description || brief,
    mimeType: MANIFEST_TYPE,
    size: stamp.size,
  };
}
