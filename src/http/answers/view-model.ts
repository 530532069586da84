import { HOST_IDS, HOSTS, viewHost, type HostView } from '../../hosts.ts';
import { fail } from '../../model/outcome.ts';
import type { ReadAnswer } from '../console-context.ts';
import type { ModelSegment, ModelView } from '../wire/model-view.ts';

const CHARACTERS_PER_TOKEN = 4;

/** The catalog as a model reads it: ours within a budget, or that of a host by its own rules. */
export const viewModel: ReadAnswer<'model'> = async ({ skills }, { host, budget, format = 'xml' }) => {
  if (host !== undefined) {
    const id = HOST_IDS.find((known) => known === host);
    if (id === undefined) return fail('CONFIG_INVALID', `there is no host "${host}"`);
    return { ok: true, ...viewAsHost(viewHost(HOSTS[id], skills.environment)) };
  }
  const { text, tokens, catalog } = await skills.disclosure.prompt({ budget, format });
  if (catalog === undefined) return { ok: true, segments: [], text, tokens, budget: null, because: null };
  const [shortened, named] = [new Set(catalog.shortened), new Set(catalog.named)];
  const kindOf = (name: string): ModelSegment['kind'] =>
    named.has(name) ? 'named' : shortened.has(name) ? 'shortened' : 'described';
  const segments: readonly ModelSegment[] = [
    ...catalog.shown.map((name) => {
      return { name, kind: kindOf(name), tokens: tokensOf(catalog.lengths[name] ?? 0), because: null };
    }),
    ...catalog.omitted.map((name) => ({ name, kind: 'omitted' as const, tokens: 0, because: null })),
  ];
  return { ok: true, segments, text, tokens, budget: catalog.budget, because: null };
};

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
        return {
          name: one.skill.name,
          kind,
          tokens: tokensOf(lineOf(one).length),
          because: one.because ?? null,
        } as const;
      }),
      ...others.map(({ skill, because }) => {
        return { name: skill.name, kind: 'omitted' as const, tokens: 0, because: because ?? null };
      }),
    ],
    text,
    tokens: tokensOf(text.length),
    budget: room === undefined ? null : Math.ceil(room.limit / perToken),
    because: room?.because ?? null,
  };
}
