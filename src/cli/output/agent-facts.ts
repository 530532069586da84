import { isFull, type ListChange } from '../../engine/list-changes.ts';
import type { AgentFact, SkillAgents } from '../../engine/skill-agents.ts';
import type { Invocation } from '../command.ts';

type Words = Pick<Invocation, 'sayNext'>;

/** "Claude Code", "Claude Code and Codex", "Claude Code, Codex and Cursor". */
export function joinNames(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** Says who has skills now. Skills that the same agents have, for the same reasons, share their sentences. */
export function describeFacts(skills: readonly SkillAgents[], words: Words): readonly string[] {
  const groups = Map.groupBy(skills, ({ agents }) =>
    JSON.stringify(agents.map(({ agent, isWished, has, because }) => [agent, isWished, has, isWished ? because : ''])),
  );
  return [...groups.values()].flatMap((group) => describeGroup(group, words));
}

function describeGroup(group: readonly SkillAgents[], { sayNext }: Words): readonly string[] {
  const facts = group[0]?.agents ?? [];
  if (facts.length === 0) return [];
  const names = joinNames(group.map(({ name }) => name));
  const [having, without] = [facts.filter(({ has }) => has), facts.filter(({ has, isWished }) => !has && isWished)];
  const wished = titlesOf(having.filter(({ isWished }) => isWished));
  const others = titlesOf(having.filter(({ isWished }) => !isWished));
  const users = wished.length > 0 ? wished : others;
  const first =
    users.length > 0 ? `${joinNames(users)} can use ${names} now (in new sessions).` : `No agent has ${names}.`;
  const too =
    wished.length === 0 || others.length === 0
      ? []
      : [`${joinNames(others)} can, too: ${others.length === 1 ? 'it reads' : 'they read'} the same folder.`];
  const reasons = Map.groupBy(without, ({ because = 'it is not listed' }) => because);
  const refused = [...reasons].map(([because, some]) => {
    const [next] = some.map((fact) => fact.next);
    return [`${joinNames(titlesOf(some))} cannot: ${because}.`, ...(next === undefined ? [] : [sayNext(next)])].join(
      ' ',
    );
  });
  return [[first, ...too, ...refused].join(' '), ...(users.length + without.length === 0 ? [adviseGiving(group)] : [])];
}

function titlesOf(facts: readonly AgentFact[]): readonly string[] {
  return facts.map(({ title }) => title);
}

function adviseGiving([first]: readonly SkillAgents[]): string {
  const { name = '', agents = [] } = first ?? {};
  return `To give it to one: \`skillplane enable ${name} --agent ${agents[0]?.agent ?? 'claude-code'}\``;
}

/** Says which agents no longer list a skill, and which still do, with the reason. */
export function describeLoss(before: SkillAgents | undefined, after: SkillAgents | undefined, words: Words): string {
  const has = (facts: SkillAgents | undefined, agent: string): boolean =>
    facts?.agents.some((fact) => fact.agent === agent && fact.has) === true;
  const lost = titlesOf((before?.agents ?? []).filter(({ agent, ...fact }) => fact.has && !has(after, agent)));
  const still = (after?.agents ?? []).filter((fact) => fact.has);
  return [
    ...(lost.length === 0
      ? []
      : [`${joinNames(lost)} no longer ${lost.length === 1 ? 'lists' : 'list'} it (in new sessions).`]),
    ...still.flatMap(({ title, because, next }) => [
      `${title} still lists it${because === undefined ? '' : `: ${because}`}.`,
      ...(next === undefined ? [] : [words.sayNext(next)]),
    ]),
  ].join(' ');
}

/** The agents whose skill lists get too long, and what their models no longer read then. */
export function describeFull(lists: readonly ListChange[]): readonly string[] {
  return lists.filter(isFull).map(({ title, room: { needed, limit, unit }, cut, lost }) => {
    const count = (value: number): string => value.toLocaleString('en-US');
    const parts = [
      `${title}'s skill list will no longer fit (${count(needed)} of ${count(limit)} ${unit}).`,
      ...(cut.length === 0 ? [] : [`These skills lose their description, or a part of it: ${shorten(cut)}.`]),
      ...(lost.length === 0 ? [] : [`These skills are no longer listed: ${shorten(lost)}.`]),
    ];
    return parts.join(' ');
  });
}

const MOST_NAMES = 8;

function shorten(names: readonly string[]): string {
  const rest = names.length - MOST_NAMES;
  return rest > 0 ? `${names.slice(0, MOST_NAMES).join(', ')} and ${rest} more` : names.join(', ');
}
