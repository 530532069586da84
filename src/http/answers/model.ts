import { z } from 'zod';

import { agentTools } from '../../agent/agent-tools.ts';
import { callTool } from '../../agent/call-tool.ts';
import { HOSTS } from '../../hosts/all-hosts.ts';
import { viewHost, type HostView } from '../../hosts/seeing/view-host.ts';
import { toKnownClient, writeInstructions } from '../../mcp/instructions.ts';
import { findHostId } from '../../model/agents.ts';
import { CATALOG_FORMAT_NAMES } from '../../model/catalog-format.ts';
import { fail } from '../../model/outcome.ts';
import { read } from '../endpoint.ts';
import { wholeCount, host } from '../input-fields.ts';

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

/**
 * The text that our MCP server gives a client, which adds it to every conversation; and the tools, of which a model reads the
 * descriptions, with the answer of the one that needs no question. Nothing of it is recorded.
 */
export const viewTold = read(
  z.strictObject({ client: z.string().max(64).optional() }),
  async ({ skills }, { client }) => {
    const text = await writeInstructions(skills, { client: toKnownClient(client) });
    const tools = agentTools(skills);
    const listed = await callTool(tools, { name: 'list_skills', args: {} });
    return {
      ok: true,
      text,
      tokens: tokensOf(text.length),
      tools: tools.map(({ name, description }) => ({ name, description })),
      /** The answer that a model reads if it calls `list_skills`. */
      listed: listed.text,
    };
  },
);

/** Our own catalog within a budget, or that of a host by its own rules. */
export const viewModel = read(
  z.strictObject({
    host: host.optional(),
    budget: wholeCount.optional(),
    format: z.enum(CATALOG_FORMAT_NAMES).optional(),
  }),
  async ({ skills }, { host: wanted, budget, format = 'xml' }) => {
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
