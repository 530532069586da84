import type { IdentifiedEvents, UsageKind } from '../../usage/usage-store.ts';
import { HINT_MARK } from '../hint-mark.ts';
import { textAt, type Json } from './json-value.ts';

/** When and where something was recorded; the host's own id makes it count once. */
export interface Occurrence {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A call of a skill by a model. */
export interface Call extends Occurrence {
  readonly skill: string;
}

interface Hint extends Occurrence {
  readonly skills: readonly string[];
}

/** A session as it is remembered between two readings: small, and without anything that was said. */
interface SessionState {
  readonly session: string;
  readonly cwd: string;
  /** Calls whose results are not known yet. */
  readonly calls: readonly Call[];
  readonly hint?: Hint | undefined;
  /** The answer whose tokens were counted last, and how many. */
  readonly spent?: { readonly id: string; readonly tokens: number } | undefined;
  /** Names of skills by their folders, where the one does not follow from the other. */
  readonly names: Readonly<Record<string, string>>;
  readonly asked?: AskedRequest | undefined;
}

/** A skill list that a model saw. */
export interface ShownList {
  readonly names: readonly string[];
  /** Names by folders, where the one does not follow from the other. */
  readonly folders: Readonly<Record<string, string>>;
}

export interface SessionContext {
  readonly host: string;
  readonly team: string;
  /** The file's modification time, used for records without a time. */
  readonly changedAt: number;
  /** The project of a working directory. */
  readonly projectOf: (cwd: string) => string;
  readonly emit: (found: IdentifiedEvents) => void;
  /** Hashes the words of a request; absent unless they are learned. */
  readonly toWords?: ((request: string) => readonly number[]) | undefined;
}

/** The last request of a session: hashes of its words, and the skills that were used since. */
interface AskedRequest {
  readonly words: readonly number[];
  readonly skills: readonly string[];
}

/** A hint that is not followed within this time has had no effect. */
const HINT_COUNTS_MS = 1_800_000;
/** Names come from another program: longer ones are not skill names. */
const LONGEST_NAME = 256;
const MOST_NAMES = 5_000;
const MOST_CALLS = 16;
/** Shorter ids can repeat in another session: some local models restart their numbering. */
const SHORTEST_ID = 12;
const DAY_MS = 86_400_000;

/** One conversation, as far as skills are concerned: the reader of a host says what happened, this keeps and emits it. */
export class Session {
  readonly #context: SessionContext;
  #state: SessionState;

  /** Continues from an earlier `state`; undefined starts a new session. */
  constructor(context: SessionContext, remembered?: Json) {
    this.#context = context;
    this.#state = readState(remembered, context.toWords !== undefined);
  }

  /** The state to remember, which fits into JSON. */
  get state(): SessionState {
    return this.#state;
  }

  /** The id of the session, if known. */
  get name(): string {
    return this.#state.session;
  }

  /** Does a text have the id of a call that waits for its result? */
  awaits(text: string | Buffer): boolean {
    return this.#state.calls.some(({ id }) => text.includes(id));
  }

  /** Says where the session takes place, as far as known. */
  place({ session, cwd }: { readonly session?: string | undefined; readonly cwd?: string | undefined }): void {
    this.#change({ session: session ?? this.#state.session, cwd: cwd ?? this.#state.cwd });
  }

  /** A time as the host writes it, in milliseconds since 1970; what cannot be true is replaced by the file's. */
  time(given: string | number | undefined): number {
    const { changedAt } = this.#context;
    const at = typeof given === 'number' ? given : Date.parse(given ?? '');
    return Math.trunc(at > 0 && at <= changedAt + DAY_MS ? at : changedAt);
  }

  /** A person asked this. Nothing of the text is kept. */
  ask(text: string): void {
    const { toWords } = this.#context;
    const own = toWords === undefined ? '' : withoutTags(text);
    if (own !== '') this.#change({ asked: { words: toWords?.(own) ?? [], skills: [] } });
  }

  use({ id, skill, at, by }: Call & { readonly by: 'user' | 'model' }): void {
    const { asked, hint } = this.#state;
    const words = asked?.skills.includes(skill) === true ? undefined : asked?.words;
    if (asked !== undefined && words !== undefined)
      this.#change({ asked: { words, skills: [...asked.skills, skill] } });
    const kind = by === 'user' ? 'invoked' : 'loaded';
    this.#record({ id: useId({ id, skill, session: this.name }), at, words, kinds: [[kind, [skill]]] });
    const isHinted = hint?.skills.includes(skill) === true && at >= hint.at && at <= hint.at + HINT_COUNTS_MS;
    if (by === 'user' || !isHinted) return;
    this.#record({ id: `followed ${hint.id} ${skill}`, at, kinds: [['followed', [skill]]] });
    this.#change({ hint: { ...hint, skills: hint.skills.filter((name) => name !== skill) } });
  }

  /** A model called a skill: lines with the id are read from now on, and `settle` says whether it was a use. */
  await(call: Call): void {
    const others = this.#state.calls.filter(({ id, skill }) => id !== call.id || skill !== call.skill);
    this.#change({ calls: [...others, call].slice(-MOST_CALLS) });
  }

  settle(id: string, isUse: boolean): void {
    const calls = Map.groupBy(this.#state.calls, (call) => call.id === id);
    this.#change({ calls: calls.get(false) ?? [] });
    if (isUse) for (const call of calls.get(true) ?? []) this.use({ ...call, by: 'model' });
  }

  /** A model saw these skills; those in `cut` by name only. */
  show({
    id,
    at,
    names,
    cut = [],
  }: Occurrence & { readonly names: readonly string[]; readonly cut?: readonly string[] }): void {
    const shown = [['shown', names.slice(0, MOST_NAMES)] as const, ['cut', cut.slice(0, MOST_NAMES)] as const];
    this.#record({ id, at, kinds: shown });
  }

  /** A model saw a skill list. Names are recorded by their folders. */
  showList({ id, at, names, folders }: Occurrence & ShownList): void {
    this.show({ id, at, names });
    const known = Object.entries({ ...this.#state.names, ...folders });
    this.#change({ names: Object.fromEntries(known.slice(-MOST_NAMES)) });
  }

  /** The name of the skill in a folder, if it was remembered. */
  nameOf(folder: string): string | undefined {
    return textAt(this.#state.names, folder);
  }

  /** A text that a hook gave the model; counts only if it is one of our hints. */
  hint({ id, at, text }: Occurrence & { readonly text: string }): void {
    const skills = namesInHint(text);
    if (skills.length === 0) return;
    this.#change({ hint: { id, at, skills } });
    this.#record({ id, at, kinds: [['hinted', skills]] });
  }

  /** Tokens of one answer so far; a later count of the same answer replaces the earlier one. */
  spend({ id, at, skill, tokens }: Call & { readonly tokens: number }): void {
    const { spent } = this.#state;
    const before = spent?.id === id ? spent.tokens : 0;
    if (tokens <= before) return;
    this.#change({ spent: { id, tokens } });
    this.#record({ id: `spent ${id} ${tokens}`, at, count: tokens - before, kinds: [['spent', [skill]]] });
  }

  #change(changes: Partial<SessionState>): void {
    this.#state = { ...this.#state, ...changes };
  }

  #record({ id, at, count = 1, kinds, words }: Happening): void {
    const { host, team, projectOf, emit } = this.#context;
    const { session, cwd } = this.#state;
    const shared = { team, agent: host, project: projectOf(cwd), session, outcome: 'ok' as const, at, count };
    const events = kinds
      .map(([kind, names]) => ({ ...shared, kind, skills: names.filter(isName) }))
      .filter(({ skills }) => skills.length > 0);
    if (events.length > 0) emit({ id: eventId(host, id), events, ...(words === undefined ? {} : { words }) });
  }
}

/** Kinds of events, each with its skills. */
interface Happening extends Occurrence {
  readonly count?: number;
  readonly words?: readonly number[] | undefined;
  readonly kinds: readonly (readonly [UsageKind, readonly string[]])[];
}

/** The id under which an event of a host is known: so a hook and a transcript that tell of the same one count it once. */
export function eventId(host: string, id: string): string {
  return `${host} ${id}`;
}

/** The id of a use, by that of the call or message that was it. */
export function useId({ id, skill, session }: Omit<Call, 'at'> & { readonly session: string }): string {
  return `use ${id.length < SHORTEST_ID ? `${session} ${id}` : id} ${skill}`;
}

/** Longer requests are cut: the topic is at the beginning. */
const LONGEST_REQUEST = 8_192;

/** A request without what programs put around it, such as `<system-reminder>…</system-reminder>`. */
function withoutTags(text: string): string {
  return text
    .slice(0, LONGEST_REQUEST)
    .replaceAll(/<([a-z][a-z_-]{2,40})>[^]*?<\/\1>/g, ' ')
    .trim();
}

function isName(name: string): boolean {
  return name !== '' && name.length <= LONGEST_NAME;
}

/** The skills named in one of our suggestions; none for other text. */
function namesInHint(text: string): readonly string[] {
  const at = text.indexOf(HINT_MARK);
  if (at === -1) return [];
  const names = [...text.slice(at).matchAll(/`[/$]?([^`\s]{1,256})`/g)].map(([, name = '']) => name);
  return [...new Set(names)];
}

/** Written by us alone, from `state`. The last request counts only while requests are learned. */
function readState(remembered: Json, learns: boolean): SessionState {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const {
    session = '',
    cwd = '',
    calls = [],
    hint,
    spent,
    names = {},
    asked,
  } = (remembered ?? {}) as Partial<SessionState>;
  return { session, cwd, calls, hint, spent, names, asked: learns ? asked : undefined };
}
