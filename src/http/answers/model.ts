import { z } from 'zod';

import { agentTools } from '../../agent/agent-tools.ts';
import { callTool } from '../../agent/call-tool.ts';
import type { ToolOutline } from '../../agent/tool-formats.ts';
import { visibleSkills } from '../../agent/visible-skills.ts';
import type { Skills } from '../../engine/open-skills.ts';
import { HOSTS } from '../../hosts/all-hosts.ts';
import { viewHost, type HostView } from '../../hosts/seeing/view-host.ts';
import { toKnownClient, writeInstructions } from '../../mcp/instructions.ts';
import { findHostId, HOST_IDS } from '../../model/agents.ts';
import { CATALOG_FORMAT_NAMES } from '../../model/catalog-format.ts';
import { isPlainObject, type PlainObject } from '../../model/foreign-values.ts';
import { fail } from '../../model/outcome.ts';
import { read } from '../endpoint.ts';
import { host, request, wholeCount } from '../input-fields.ts';

const CHARACTERS_PER_TOKEN = 4;

/** A skill in the catalog. `kind` says how much of it is shown. */
export interface ModelSegment {
  readonly name: string;
  readonly kind: 'described' | 'shortened' | 'named' | 'omitted';
  readonly tokens: number;
  /** Why it is shown less than whole, if a host says so. */
  readonly because?: string | undefined;
}

/** The catalog as a model reads it. */
interface ModelView {
  /** In the order of the text; skills that are left out come last. */
  readonly segments: readonly ModelSegment[];
  /** The text that the model reads; for a host, its list as the rules of the host make it. */
  readonly text: string;
  readonly tokens: number;
  /** In tokens; undefined if there is no limit. */
  readonly budget?: number | undefined;
  /** The parts of the limit, if a host says so. */
  readonly because?: string | undefined;
}

/** A client of our MCP server, by its id or as `any`; absent for an agent that is built with the library. */
const client = z.enum(['any', ...HOST_IDS]);

/** The text that our MCP server gives a client, which adds it to every conversation. */
export const viewTold = read(z.strictObject({ client }), async ({ skills }, { client: asked }) => {
  const { served } = await openServed(skills, asked);
  const text = await writeInstructions(served, { client: toKnownClient(asked) });
  return { ok: true, text, tokens: tokensOf(text.length) };
});

/** The tools as a model is told of them, and the names of the skills that it may load. */
export const viewTools = read(z.strictObject({ client: client.optional() }), async ({ skills }, { client: asked }) => {
  const { served, tools } = await openServed(skills, asked);
  return {
    ok: true,
    tools: (await tools.list()).map(({ name, description, schema }) => ({
      name,
      description,
      fields: describeFields(schema()),
    })),
    loadable: visibleSkills(served).map(({ name }) => name),
  };
});

function describeFields({ properties }: PlainObject): readonly { readonly name: string; readonly text: string }[] {
  return Object.entries(isPlainObject(properties) ? properties : {}).map(([name, about]) => {
    const text = isPlainObject(about) ? about['description'] : undefined;
    return { name, text: typeof text === 'string' ? text : '' };
  });
}

/** The answer that a model gets from a tool; undefined if it has no such tool, as long as there are no skills. */
export const viewAnswer = read(
  z.strictObject({
    client: client.optional(),
    tool: z.enum(['list_skills', 'search_skills', 'load_skill']),
    /** A task to search for, or the name of a skill. */
    about: request.optional(),
  }),
  async ({ skills }, { client: asked, tool, about = '' }) => {
    const { tools } = await openServed(skills, asked);
    const isOffered = (await tools.list()).some(({ name }) => name === tool);
    if (!isOffered) return { ok: true, answer: undefined };
    const args = { list_skills: {}, search_skills: { query: about }, load_skill: { name: about } }[tool];
    const { text, isError } = await tools.call(tool, args);
    return { ok: true, answer: { text, isError, tokens: tokensOf(text.length) } };
  },
);

interface ServedTools {
  list(): Promise<readonly ToolOutline[]>;
  call(name: string, args: PlainObject): Promise<{ readonly text: string; readonly isError: boolean }>;
}

/** The skills and tools as one who reads has them: those of `skillplane mcp`, or of the library. Nothing is recorded as a use. */
async function openServed(
  skills: Skills,
  asked: z.infer<typeof client> | undefined,
): Promise<{ readonly served: Skills; readonly tools: ServedTools }> {
  const silent = skills.as({ recordUse: false });
  if (asked === undefined) {
    const tools = agentTools(silent);
    const call: ServedTools['call'] = (name, args) => callTool(tools, { name, args });
    return { served: silent, tools: { list: async () => tools, call } };
  }
  const [{ openToolHandlers }, { beyondHost }] = await Promise.all([
    import('../../mcp/tool-handlers.ts'),
    import('../../engine/beyond-host.ts'),
  ]);
  const host = findHostId(asked);
  const served = host === undefined ? silent : await beyondHost(silent, host);
  const hints = host === undefined ? undefined : { host, skills: silent };
  const tools = openToolHandlers(served, { hints }, { onError: ignore, onTrouble: ignore });
  return {
    served,
    tools: {
      list: () => tools.list(),
      async call(name, args) {
        const { content, isError = false } = await tools.call(name, args);
        return { text: content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'), isError };
      },
    },
  };
}

function ignore(): void {
  return undefined;
}

/** Our own catalog within a budget, or that of a host by its own rules. */
export const viewModel = read(
  z.strictObject({
    host: host.optional(),
    budget: wholeCount.optional(),
    format: z.enum(CATALOG_FORMAT_NAMES).optional(),
  }),
  async ({ skills }, { host: wanted, budget, format }) => {
    if (wanted !== undefined) {
      const id = findHostId(wanted);
      if (id === undefined) return fail('CONFIG_INVALID', `unknown agent "${wanted}"`);
      return { ok: true, ...viewAsHost(viewHost(HOSTS[id], skills.environment)) };
    }
    const { text, tokens, budget: room, ...catalog } = await skills.disclosure.prompt({ budget, format });
    const [shortened, named] = [new Set(catalog.shortened), new Set(catalog.named)];
    const kindOf = (name: string): ModelSegment['kind'] =>
      named.has(name) ? 'named' : shortened.has(name) ? 'shortened' : 'described';
    const segments: readonly ModelSegment[] = [
      ...catalog.shown.map((name) => {
        return { name, kind: kindOf(name), tokens: tokensOf(catalog.lengths[name] ?? 0) };
      }),
      ...catalog.omitted.map((name) => ({ name, kind: 'omitted' as const, tokens: 0 })),
    ];
    const view: ModelView = { segments, text, tokens, budget: room };
    return { ok: true, ...view };
  },
);

function tokensOf(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

function viewAsHost({ skills, room }: HostView): ModelView {
  const shown = skills.filter(({ standing }) => standing === 'described' || standing === 'named');
  const others = skills.filter((one) => !shown.includes(one));
  const lineOf = ({ skill, label, text }: (typeof skills)[number]): string =>
    text === '' ? (label ?? skill.name) : `${label ?? skill.name}: ${text}`;
  const text = shown.map((one) => `- ${lineOf(one)}`).join('\n');
  const perToken = room?.unit === 'tokens' ? 1 : CHARACTERS_PER_TOKEN;
  return {
    segments: [
      ...shown.map((one) => {
        const isCut = one.standing === 'described' && one.because !== undefined;
        const kind = one.standing === 'named' ? 'named' : isCut ? 'shortened' : 'described';
        return { name: one.skill.name, kind, tokens: tokensOf(lineOf(one).length), because: one.because } as const;
      }),
      ...others.map(({ skill, because }) => {
        return { name: skill.name, kind: 'omitted' as const, tokens: 0, because };
      }),
    ],
    text,
    tokens: tokensOf(text.length),
    budget: room && Math.ceil(room.limit / perToken),
    because: room?.because,
  };
}
