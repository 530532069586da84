import { createMcpHandler, McpServer, type CallToolResult } from '@modelcontextprotocol/server';
import { VERSION } from 'skillplane';
import { harmlessLine, isGrave, renderInlinedSkill, withholdFindings } from 'skillplane/internal';
import { z } from 'zod';

import type { Identity } from '../access/roles.ts';
import { isConnectionLoss } from '../database/database.ts';
import type { Hub } from '../hub.ts';
import { keyOf } from '../library/served-skill.ts';
import { addUse } from '../store/uses.ts';
import { mondayOf } from '../store/weeks.ts';
import { readKnownVersion, type KnownVersion } from './known-versions.ts';
import { scopesOf } from './readable-scopes.ts';
import type { Call } from './route.ts';
import { readThrough } from './serve-bytes.ts';

const INSTRUCTIONS =
  'Skills of your team: instructions for tasks that somebody solved before. ' +
  'Before a task that a skill may cover, call search_skills with the task in plain words, then load_skill with the best match, and follow it. ' +
  'Nothing of a skill runs here; read its files with read_skill_file.';

const MAX_TEXT_BYTES: number = 1024 * 1024;

/** Answers one request of an MCP client, in either version of the protocol. Keeps nothing between requests. */
export async function answerMcp({ hub, identity, request }: Call<unknown, unknown>): Promise<Response> {
  const handler = createMcpHandler(() => openServer(hub, identity), {
    maxRequestBodySize: MAX_TEXT_BYTES,
    onerror: hub.onError,
  });
  return handler.fetch(request);
}

const annotations = { readOnlyHint: true, openWorldHint: false };

function openServer(hub: Hub, identity: Identity): McpServer {
  const server = new McpServer({ name: 'skillplane-hub', version: VERSION }, { instructions: INSTRUCTIONS });
  offerSearch(server, hub, identity);
  offerReading(server, hub, identity);
  return server;
}

function offerSearch(server: McpServer, hub: Hub, identity: Identity): void {
  server.registerTool(
    'search_skills',
    {
      title: 'Search skills',
      description:
        'Use this before a task that a skill of your team may cover. Returns matching skills, best first, with reasons.',
      inputSchema: z.object({
        query: z.string().max(4_000).describe('The task in plain words, or the name of a skill.'),
        limit: z.number().int().min(1).max(50).optional(),
      }),
      annotations,
    },
    async ({ query, limit = 10 }) => {
      const results = hub.followed.library.search({ query, limit, scopes: scopesOf(identity) });
      const lines = results.map(({ scope, name, description, reasons, weak }) =>
        harmlessLine(
          `- ${keyOf({ scope, name })}: ${description}${weak === true ? ' (weak match)' : ''} [${reasons.join('; ')}]`,
        ),
      );
      return answer(lines.length === 0 ? 'No skill matches.' : lines.join('\n'));
    },
  );
}

function offerReading(server: McpServer, hub: Hub, identity: Identity): void {
  server.registerTool(
    'load_skill',
    {
      title: 'Load a skill',
      description: 'Use this before you start a task that a skill covers, then follow the instructions it returns.',
      inputSchema: z.object({ name: z.string().max(200).describe('As search_skills names it: @team/name.') }),
      annotations,
    },
    async ({ name }) =>
      unlessAway(async () => {
        const found = await findForModel(hub, identity, name);
        if (!found.ok) return found.answer;
        const { files } = found.version;
        const text = await readText(hub, files.find(({ path }) => path === 'SKILL.md')?.digest);
        const others = files.map(({ path }) => path).filter((path) => path !== 'SKILL.md');
        if (text === undefined) return answer(`${name} cannot be read`, true);
        countUse(hub, identity, found);
        return answer(renderInlinedSkill({ name, text, files: others }));
      }),
  );
  server.registerTool(
    'read_skill_file',
    {
      title: 'Read a file of a skill',
      description: 'Use this for a file that the instructions of a loaded skill mention. Returns its text.',
      inputSchema: z.object({
        name: z.string().max(200).describe('As search_skills names it: @team/name.'),
        path: z.string().max(1_000).describe('As load_skill lists it.'),
      }),
      annotations,
    },
    async ({ name, path }) =>
      unlessAway(async () => {
        const found = await findForModel(hub, identity, name);
        if (!found.ok) return found.answer;
        const text = await readText(hub, found.version.files.find((one) => one.path === path)?.digest);
        if (text === undefined) return answer(`${name} has no text file ${harmlessLine(path)}`, true);
        return answer(renderInlinedSkill({ name: `${name}/${path}`, text }));
      }),
  );
}

type Found =
  | { readonly ok: true; readonly scope: string; readonly skill: string; readonly version: KnownVersion }
  | { readonly ok: false; readonly answer: CallToolResult };

/** The latest version, unless its audit has critical findings and no reviewer has approved them. */
async function findForModel(hub: Hub, identity: Identity, label: string): Promise<Found> {
  const [, scope = '', name = ''] = /^@([^/]+)\/(.+)$/.exec(label.trim()) ?? [];
  const scopes = scopesOf(identity);
  const isReadable = scopes === undefined || scopes.has(scope);
  const latest = isReadable ? hub.followed.library.find(scope, name)?.latest : undefined;
  const version = latest && (await readKnownVersion(hub, latest.id, { scope, name, version: latest.version }));
  if (version === undefined) {
    const near = hub.followed.library.search({ query: label, limit: 3, scopes }).map(keyOf);
    const hint = near.length === 0 ? '' : ` Similar: ${near.join(', ')}.`;
    return { ok: false, answer: answer(`There is no skill ${harmlessLine(label)}.${hint}`, true) };
  }
  const grave = version.findings.filter((finding) => isGrave(finding, 'critical'));
  if (grave.length === 0 || version.approvedBy !== null) return { ok: true, scope, skill: name, version };
  const { message } = withholdFindings(`@${scope}/${name}`, grave);
  return { ok: false, answer: answer(harmlessLine(`${message}. A reviewer of @${scope} can approve it.`), true) };
}

/** The hub sees this use itself, and counts it. Nothing waits for that. */
function countUse(hub: Hub, { person }: Identity, { scope, skill, version }: Found & { ok: true }): void {
  const week = mondayOf(hub.now().getTime());
  const use = { week, scope, skill, version: version.version, person, host: 'mcp', client: 'hub', count: 1 };
  addUse(hub.database, use).catch(hub.onError);
}

/** Models are told that the database is away, and nothing of how it is reached. */
async function unlessAway(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work();
  } catch (error) {
    if (!isConnectionLoss(error)) throw error;
    return answer('The hub cannot reach its database, and does not remember this skill. Try again in a moment.', true);
  }
}

async function readText(hub: Hub, digest: string | undefined): Promise<string | undefined> {
  const bytes = digest === undefined ? undefined : await readThrough(hub, digest);
  if (bytes === undefined || bytes.length > MAX_TEXT_BYTES) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function answer(text: string, isError = false): CallToolResult {
  return { content: [{ type: 'text', text }], ...(isError ? { isError } : {}) };
}
