import { compareText } from '../../model/order.ts';

export interface NamelessTool {
  /** The name given by its author. */
  readonly ownName: string;
  /** The skill it belongs to; undefined for the host's own tools. */
  readonly skill: string | undefined;
}

/** The APIs of models allow `^[a-zA-Z0-9_-]{1,64}$`. */
const MAX_LENGTH = 64;

/**
 * Gives each tool a unique name that the API of every model accepts:
 *
 * 1. The author's name, with every character but ASCII letters, digits, `_` and `-` replaced by `_`.
 * 2. If several tools would share that name: `<skill>_<name>`. A tool of the host keeps the plain name.
 * 3. If that is taken too: `_2`, `_3` and so on, in the order of skills and names.
 *
 * The names do not depend on the order of the tools.
 */
export function nameTools<T extends NamelessTool>(tools: readonly T[]): ReadonlyMap<string, T> {
  const shared = findShared(tools.map(({ ownName }) => toSafeName(ownName)));
  const wishes = tools.map((tool) => {
    const plain = toSafeName(tool.ownName);
    const isPlain = !shared.has(plain);
    return { tool, isPlain, name: isPlain ? plain : longName(tool) };
  });
  const named = new Map<string, T>();
  for (const { tool, name } of wishes.sort(compareWishes)) named.set(freeName(name, named), tool);
  return new Map([...named].sort(([a], [b]) => compareText(a, b)));
}

/** The name of a tool prefixed with its skill's name. */
export function longName({ ownName, skill }: NamelessTool): string {
  return toSafeName(skill === undefined ? ownName : `${skill}_${ownName}`);
}

interface Wish {
  readonly tool: NamelessTool;
  readonly isPlain: boolean;
}

/** Plain names come before long ones, and the host's tools before those of skills; the first gets its wish. */
function compareWishes(a: Wish, b: Wish): number {
  return (
    Number(b.isPlain) - Number(a.isPlain) ||
    compareText(a.tool.skill ?? '', b.tool.skill ?? '') ||
    compareText(a.tool.ownName, b.tool.ownName)
  );
}

export function toSafeName(name: string): string {
  return name.replaceAll(/[^\w-]/gu, '_').slice(0, MAX_LENGTH);
}

function findShared(names: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  return new Set(names.filter((name) => seen.size === seen.add(name).size));
}

function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  let free = name;
  for (let count = 2; taken.has(free); count += 1) {
    const ending = `_${count}`;
    free = `${name.slice(0, MAX_LENGTH - ending.length)}${ending}`;
  }
  return free;
}
