import type { AgentChange, GivingPlan } from '../../lib/answers.ts';
import { grouped, joinNames } from '../../lib/words.ts';

type Effect = Pick<GivingPlan, 'lists' | 'problems'>;

/** Says what else changes: lists that get too long, agents that read the same folders, and what cannot be done; empty if nothing. */
export function describeEffect({ lists, problems }: Effect, changes: readonly AgentChange[]): string {
  const isMeant = (agent: string, name: string): boolean =>
    changes.some((change) => change.agent === agent && change.name === name);
  /** Agents that read the same folder are one sentence. */
  const tell = (kind: 'gains' | 'loses', describe: (names: string) => string): readonly string[] => {
    const readers = lists.map(({ agent, title, [kind]: names }) => {
      return { title, names: names.filter((name) => !isMeant(agent, name)) };
    });
    const alike = Map.groupBy(
      readers.filter(({ names }) => names.length > 0),
      ({ names }) => few(names),
    );
    return [...alike].map(([names, some]) => {
      const titles = joinNames(some.map(({ title }) => title));
      return `${titles} ${some.length === 1 ? 'reads' : 'read'} the same folder and will ${describe(names)}.`;
    });
  };
  const sentences = lists.flatMap(({ title, before, room, cut, lost }) => {
    const isFull = room !== undefined && room.needed > room.limit;
    const isStill = isFull && before !== undefined && before > room.limit;
    return [
      ...(isFull
        ? [
            `${title}’s list ${isStill ? 'is still' : 'will be'} too long: ${grouped(before ?? 0)} → ${grouped(room.needed)} of ${grouped(room.limit)} ${room.unit}.`,
          ]
        : []),
      ...(cut.length === 0 ? [] : [`${few(cut)} will lose the description or a part of it there.`]),
      ...(lost.length === 0 ? [] : [`${title} will have no room to list ${few(lost)}.`]),
    ];
  });
  return [
    ...tell('gains', (names) => `list ${names}, too`),
    ...tell('loses', (names) => `no longer list ${names}`),
    ...sentences,
    ...problems.map(({ skill, because, hosts }) => `${skill} in ${hosts.join(', ')}: ${because}.`),
  ].join(' ');
}

const MOST_NAMES = 5;

function few(names: readonly string[]): string {
  const rest = names.length - MOST_NAMES;
  return rest > 0 ? `${names.slice(0, MOST_NAMES).join(', ')} and ${rest} more` : joinNames(names);
}
