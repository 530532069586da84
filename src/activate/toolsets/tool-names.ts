import { compareText } from '../../model/order.ts';

export interface NamelessTool {
  /** The name that its author gave it. */
  readonly ownName: string;
  /** The skill that brings it; a tool without one is the host's own. */
  readonly skill: string | undefined;
}

/** What the APIs of models allow: `^[a-zA-Z0-9_-]{1,64}$`. */
const MAX_LENGTH = 64;

/**
 * Gives each tool a name that no other has and that every model's API takes.
 *
 * 1. The author's name, each character that is not a letter, digit, `_` or `-` of ASCII being `_`.
 * 2. Where several tools would have that name, `<skill>_<name>`; a tool of the host keeps the plain one.
 * 3. Where that is taken as well, `_2`, `_3` and so on, in the order of skills and names.
 *
 * The same tools have the same names, in whatever order they came.
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

/** The name of a tool with its skill's before it, whether it needs that or not. */
export function longName({ ownName, skill }: NamelessTool): string {
  return toSafeName(skill === undefined ? ownName : `${skill}_${ownName}`);
}

interface Wish {
  readonly tool: NamelessTool;
  readonly isPlain: boolean;
}

/** Plain names before long ones, and the host's before those of skills: who comes first gets what it wishes for. */
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
