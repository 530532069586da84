import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';

import { openSkills } from '../../src/engine/open-skills.ts';
import type { SourceUnderTest } from '../../src/engine/source-contract.ts';
import { createMcpServer } from '../../src/mcp/skill-server.ts';
import { sha256Of } from '../../src/parse/digest.ts';
import { DISCOVERY_SCHEMA, INDEX_PATHS } from '../../src/parse/well-known-index.ts';
import { mcpSource } from '../../src/sources/mcp-source.ts';
import { memorySource, type DefinedSkill } from '../../src/sources/memory-source.ts';
import { webSource } from '../../src/sources/web-source.ts';
import { zip } from './archives.ts';
import { serve, type Answer } from './https-server.ts';
import { makeTree, writeTree, type Tree } from './tree.ts';
import { makeWorld } from './world.ts';

type Skills = readonly DefinedSkill[];
export type SourceMaker = (skills: Skills) => Promise<SourceUnderTest> | SourceUnderTest;

/** One maker for each kind of source that ships. */
export const SOURCE_MAKERS: Readonly<Record<string, SourceMaker>> = {
  'a directory': (skills) => {
    const dir = makeTree(toTree(skills));
    return { source: dir, replace: (next) => replaceTree(dir, next) };
  },
  memory(skills) {
    const source = memorySource(skills);
    return { source, replace: (next) => source.replace(next) };
  },
  async 'a well-known index'(skills) {
    const { url, pages } = await serveSite(skills);
    return { source: webSource(url), replace: (next) => fillSite(pages, next) };
  },
  async 'an MCP server'(skills) {
    const { home, project, env } = makeWorld({});
    const dir = makeTree(toTree(skills));
    // The server withholds nothing: its client has to judge what it is given.
    const served = await openSkills({ cwd: project, home, env, dirs: [{ path: dir, trusted: true }] });
    const server = createMcpServer(served);
    const client = new Client({ name: 'test', version: '1.0.0' });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await (await server.connect()).connect(far);
    await client.connect(near);
    return {
      source: mcpSource(new SkillsClient(client)),
      async replace(next) {
        replaceTree(dir, next);
        await served.refresh();
      },
      async close() {
        await client.close();
        server[Symbol.dispose]();
        await served.close();
      },
    };
  },
};

export interface Site {
  readonly url: string;
  readonly pages: Map<string, Answer>;
  readonly seen: readonly { readonly path: string; readonly status: number }[];
}

/** A site with a well-known index of these skills, each as an archive. */
export async function serveSite(skills: Skills): Promise<Site> {
  const pages = new Map<string, Answer>();
  const { url, seen } = await serve((path) => pages.get(path), { isPlain: true });
  fillSite(pages, skills);
  return { url, pages, seen };
}

export function fillSite(pages: Map<string, Answer>, skills: Skills): void {
  const entries = skills.map(({ id, files }) => {
    const bytes = zip(Object.entries(files).map(([name, content]) => ({ name, content })));
    pages.set(`/files/${id}.zip`, { body: bytes });
    return { name: id, description: id, type: 'archive', url: `/files/${id}.zip`, digest: sha256Of(bytes) };
  });
  const body = JSON.stringify({ $schema: DISCOVERY_SCHEMA, skills: entries });
  pages.set(`/${INDEX_PATHS[0]}`, { body, headers: { etag: `"${sha256Of(body)}"` } });
}

function toTree(skills: Skills): Tree {
  const files = skills.flatMap(({ id, files: own }) =>
    Object.entries(own).map(([path, content]) => [`${id}/${path}`, content] as const),
  );
  return Object.fromEntries(files);
}

function replaceTree(dir: string, skills: Skills): void {
  for (const name of readdirSync(dir)) rmSync(join(dir, name), { recursive: true });
  writeTree(dir, toTree(skills));
}
