import type { SkillForHost } from '../hosts/hooks/skill-for-host.ts';
import type { HostId } from '../model/agents.ts';
import type { Skill } from '../model/skill.ts';
import type { Environment } from '../platform/environment.ts';
import { explainDoubt, isTooShort, pickConfident, pickLikely } from '../select/confident-results.ts';
import type { SkillScope } from './skill-scope.ts';
import type { SkillSearch } from './skill-search.ts';
import type { SkillTrust } from './skill-trust.ts';

/** A message that a model has just been sent, and where. */
export interface HintRequest {
  readonly message: string;
  readonly host: HostId;
  /** Skills that the conversation has already, by the host's names. */
  readonly active?: readonly string[] | undefined;
  /** The file of the conversation, from which that is read. A relative path is one in the host's folder. */
  readonly transcript?: string | undefined;
  /** May the model be sent to our MCP server for skills that the host itself does not see? By default, if the host's settings name it. */
  readonly canLoad?: boolean | undefined;
  /** Called with the reason if there is no suggestion. */
  readonly onSilence?: ((because: string) => void) | undefined;
}

/** A sentence for a model about its skills. */
export interface SkillHint {
  readonly skills: readonly string[];
  readonly text: string;
}

export interface NoteOptions {
  /** Names of skills that the conversation has already, such as those of its ledger. */
  readonly active?: readonly string[] | undefined;
}

export interface HintParts {
  readonly scope: SkillScope;
  readonly environment: Environment;
  readonly search: SkillSearch;
  readonly trust: Pick<SkillTrust, 'survey'>;
}

/** Asking leaves no trace in the history. */
export interface SkillHints {
  /**
   * Suggests a skill only if it clearly matches the message and is not already in the conversation, disabled in the
   * agent, excluded for such requests, or blocked. With the setting `likelyHints`, it otherwise names up to three
   * probable matches.
   */
  hint(request: HintRequest): Promise<SkillHint | undefined>;
  /** The same for a program whose agent has `load_skill`; up to three skills that may serve the message are always named. */
  note(message: string, options?: NoteOptions): Promise<SkillHint | undefined>;
}

/** Enough to see by how much the second leads the third. */
const RESULTS = 4;

export function openSkillHints({ scope, environment, search, trust }: HintParts): SkillHints {
  const choose = async (message: string, mayGuess: boolean): Promise<Choice> => {
    const registry = await search.complete(scope, { view: 'model' });
    const results = registry.search(message, { memory: await scope.usage.preferredFor(message) }, RESULTS);
    const sure = pickConfident(message, results);
    const isSure = sure.length > 0;
    const picked = isSure || !mayGuess ? sure : pickLikely(message, results);
    const known = scope.catalog().skills;
    const skills = picked.flatMap((found) => known.find(({ name }) => name === found.name) ?? []);
    return { isSure, skills, doubt: explainDoubt(message, results) };
  };
  return {
    async hint(request) {
      const { message, host: id, onSilence } = request;
      const stayQuiet = (because: string): undefined => {
        onSilence?.(because);
        return undefined;
      };
      if (isCommand(message)) return stayQuiet('the message names a skill or a command itself');
      const { isSure, skills, doubt } = await choose(message, scope.catalog().reading.config.likelyHints);
      if (skills.length === 0) return stayQuiet(doubt);
      // Lazy: mostly there is nothing to say.
      const [{ HOSTS }, { skillForHost }, { writeHint, writeLikelyHint }] = await loadHosts();
      const found = skills.map((skill) => ({ skill, ...skillForHost(skill, HOSTS[id], environment) }));
      const canLoad = await readCanLoad(request, found, environment);
      const active = await readActive(request, environment);
      const verdicts = await trust.survey(skills);
      const told = dropRefused(found, isSure, ({ skill, name, state }) => {
        if (state === 'off') return `${skill.name} is turned off for this agent`;
        if (state === 'unseen' && !canLoad)
          return `this agent does not have ${skill.name}, and is not connected to the MCP server`;
        if (isWithheld(skill, verdicts)) return 'blocked because of its audit';
        return active.has(name) || active.has(skill.name) ? 'already in the conversation' : undefined;
      });
      if (!told.ok) return stayQuiet(told.because);
      const named = told.kept.map(({ name, state }) => ({ name, isSeen: state === 'seen' }));
      const text = isSure ? writeHint(named, HOSTS[id].hook) : writeLikelyHint(named, HOSTS[id].hook);
      return text === undefined
        ? stayQuiet('its name could be taken for a sentence')
        : { skills: named.map(({ name }) => name), text };
    },
    async note(message, { active = [] } = {}) {
      if (!mayGetHint(message)) return undefined;
      const { isSure, skills } = await choose(message, true);
      const verdicts = await trust.survey(skills);
      const told = dropRefused(skills, isSure, (skill) =>
        isWithheld(skill, verdicts) || active.includes(skill.name) ? 'not wanted' : undefined,
      );
      if (!told.ok) return undefined;
      const { writeNote } = await import('../hosts/hooks/hint-text.ts');
      const names = told.kept.map(({ name }) => name);
      const text = writeNote(names, isSure);
      return text === undefined ? undefined : { skills: names, text };
    },
  };
}

/** The skills that serve a message: certainly, or possibly. */
interface Choice {
  readonly isSure: boolean;
  readonly skills: readonly Skill[];
  /** Why none is certain. */
  readonly doubt: string;
}

/**
 * Leaves out what something speaks against. If the best one is left out, or a certain one, there is nothing to say: what is
 * left serves the message less.
 */
function dropRefused<T>(
  found: readonly T[],
  isSure: boolean,
  refuse: (one: T) => string | undefined,
): { readonly ok: true; readonly kept: readonly T[] } | { readonly ok: false; readonly because: string } {
  const reasons = found.map(refuse);
  const because = isSure ? reasons.find((reason) => reason !== undefined) : reasons[0];
  if (found.length === 0 || because !== undefined) return { ok: false, because: because ?? 'no skill matches' };
  return { ok: true, kept: found.filter((_, at) => reasons[at] === undefined) };
}

/** Might there be a hint? "No" is certain, and needs no skills: most messages in a conversation are short. */
export function mayGetHint(message: string): boolean {
  return !isCommand(message) && !isTooShort(message);
}

/** Whoever names a skill or a command has chosen. */
function isCommand(request: string): boolean {
  return /^\s*[/$!#@][\w:-]/.test(request);
}

function loadHosts(): Promise<
  [
    typeof import('../hosts/all-hosts.ts'),
    typeof import('../hosts/hooks/skill-for-host.ts'),
    typeof import('../hosts/hooks/hint-text.ts'),
  ]
> {
  return Promise.all([
    import('../hosts/all-hosts.ts'),
    import('../hosts/hooks/skill-for-host.ts'),
    import('../hosts/hooks/hint-text.ts'),
  ]);
}

/** Is there a server through which the skills that the host does not see can be loaded? */
async function readCanLoad(
  { host, canLoad }: HintRequest,
  found: readonly SkillForHost[],
  environment: Environment,
): Promise<boolean> {
  if (canLoad !== undefined || found.every(({ state }) => state !== 'unseen')) return canLoad ?? true;
  // Lazy: mostly the host sees the skill itself.
  const { knowsServer } = await import('../hosts/connecting/read-connection.ts');
  return knowsServer({ id: host }, environment);
}

type Verdicts = Awaited<ReturnType<SkillTrust['survey']>>;

/** A skill that is too large to be audited in passing may be told of: whoever loads it is asked again. */
function isWithheld(skill: Skill, verdicts: Verdicts): boolean {
  return verdicts.get(skill)?.ok === false;
}

async function readActive(
  { host, active = [], transcript }: HintRequest,
  environment: Environment,
): Promise<ReadonlySet<string>> {
  if (transcript === undefined) return new Set(active);
  const [{ HOSTS }, { readConversation }] = await Promise.all([
    import('../hosts/all-hosts.ts'),
    import('../hosts/hooks/conversation.ts'),
  ]);
  return new Set([...active, ...(await readConversation(HOSTS[host], environment, transcript))]);
}
