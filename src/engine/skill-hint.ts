import type { SkillForHost } from '../hosts/hooks/skill-for-host.ts';
import type { HostId } from '../model/host-id.ts';
import type { Skill } from '../model/skill.ts';
import type { Environment } from '../platform/environment.ts';
import { explainDoubt, isTooShort, pickConfident } from '../select/confident-results.ts';
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
  /** May the model be sent to our MCP server for skills that the host itself does not see? True by default. */
  readonly canLoad?: boolean | undefined;
  /** Called with the reason if there is no hint. */
  readonly onSilence?: ((because: string) => void) | undefined;
}

/** A sentence for a model about its skills. */
export interface SkillHint {
  readonly skills: readonly string[];
  readonly text: string;
}

export interface HintParts {
  readonly scope: SkillScope;
  readonly environment: Environment;
  readonly search: SkillSearch;
  readonly trust: Pick<SkillTrust, 'survey'>;
}

export type SkillHinter = (request: HintRequest) => Promise<SkillHint | undefined>;

/** Enough to see by how much the second leads the third. */
const RESULTS = 4;

/**
 * Tells of a skill only if it certainly serves the message, and if nothing speaks against it: not one that the conversation
 * has, that is off for the host, that keeps such requests away, or that is withheld. Asking leaves no trace in the history.
 */
export function openSkillHints({ scope, environment, search, trust }: HintParts): SkillHinter {
  return async (request) => {
    const { message, host: id, canLoad = true, onSilence } = request;
    const stayQuiet = (because: string): undefined => {
      onSilence?.(because);
      return undefined;
    };
    if (isCommand(message)) return stayQuiet('the message names a skill or a command itself');
    const registry = await search.complete(scope, { view: 'model' });
    const memory = await scope.usage.preferredFor(message);
    const results = registry.search(message, { memory }, RESULTS);
    const sure = pickConfident(message, results);
    const catalog = scope.catalog();
    const skills = sure.flatMap((found) => catalog.skills.find(({ name }) => name === found.name) ?? []);
    if (skills.length === 0) return stayQuiet(explainDoubt(message, results));
    // Lazy: mostly there is nothing to say.
    const [{ HOSTS }, { HOOKS }, { skillForHost }, { writeHint }] = await loadHosts();
    const found = skills.map((skill) => ({ skill, ...skillForHost(skill, HOSTS[id], environment) }));
    const isTellable = ({ state }: SkillForHost): boolean => state === 'seen' || (state === 'unseen' && canLoad);
    const untold = found.find((one) => !isTellable(one));
    if (untold !== undefined)
      return stayQuiet(`${untold.skill.name} is ${untold.state === 'off' ? 'off for' : 'not seen by'} this host`);
    if (await isWithheld(skills, trust)) return stayQuiet('its audit withholds it from models');
    const active = await readActive(request, environment);
    if (found.some(({ name, skill }) => active.has(name) || active.has(skill.name)))
      return stayQuiet('the conversation has it already');
    const text = writeHint(
      found.map(({ name, state }) => ({ name, isSeen: state === 'seen' })),
      HOOKS[id],
    );
    return text === undefined
      ? stayQuiet('its name could be taken for a sentence')
      : { skills: found.map(({ name }) => name), text };
  };
}

/** Might there be a hint? "No" is certain, and needs no skills: most messages in a conversation are short. */
export function mayGetHint(message: string): boolean {
  return !isCommand(message) && !isTooShort(message);
}

/** Whoever names a skill or a command has chosen. */
function isCommand(message: string): boolean {
  return /^\s*[/$!#@][\w:-]/.test(message);
}

function loadHosts(): Promise<
  [
    typeof import('../hosts/all-hosts.ts'),
    typeof import('../hosts/hooks/all-hooks.ts'),
    typeof import('../hosts/hooks/skill-for-host.ts'),
    typeof import('../hosts/hooks/hint-text.ts'),
  ]
> {
  return Promise.all([
    import('../hosts/all-hosts.ts'),
    import('../hosts/hooks/all-hooks.ts'),
    import('../hosts/hooks/skill-for-host.ts'),
    import('../hosts/hooks/hint-text.ts'),
  ]);
}

/** A skill that is too large to be audited in passing may be told of: whoever loads it is asked again. */
async function isWithheld(skills: readonly Skill[], trust: Pick<SkillTrust, 'survey'>): Promise<boolean> {
  const verdicts = await trust.survey(skills);
  return [...verdicts.values()].some(({ ok }) => !ok);
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
