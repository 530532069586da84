/**
 * The first of `patterns` (names or globs) that fits; undefined where none does. `*` is any text, `?` any character,
 * `[a-z]` and `[!a-z]` one of some, `{a,b}` one of several. Configurations of strangers hold globs too: the work grows
 * with the length of name and glob, whatever they are.
 */
export function findMatch(name: string, patterns: readonly string[]): string | undefined {
  const characters = Array.from(name);
  return patterns.find((pattern) => pattern === name || (isGlob(pattern) && fits(characters, pattern)));
}

function isGlob(pattern: string): boolean {
  return /[*?[{]/.test(pattern);
}

/** More alternatives than these are not looked at. */
const MAX_ALTERNATIVES = 256;

function fits(name: readonly string[], pattern: string): boolean {
  let alternatives = [pattern];
  for (let at = 0; at < alternatives.length && alternatives.length <= MAX_ALTERNATIVES;) {
    const expanded = expandBraces(alternatives[at] ?? '');
    if (expanded === undefined) at += 1;
    else alternatives = [...alternatives.slice(0, at), ...expanded, ...alternatives.slice(at + 1)];
  }
  return alternatives.slice(0, MAX_ALTERNATIVES).some((alternative) => fitsParts(name, toParts(alternative)));
}

/** The glob once for each choice of its first innermost braces; undefined where it has none. */
function expandBraces(glob: string): readonly string[] | undefined {
  const match = /\{([^{}]*,[^{}]*)\}/.exec(glob);
  if (match === null) return undefined;
  const [before, after] = [glob.slice(0, match.index), glob.slice(match.index + match[0].length)];
  return match[1]?.split(',').map((choice) => `${before}${choice}${after}`);
}

/** A part of a glob: any text, or one character that must fulfil something. */
type Part = 'any' | ((character: string) => boolean);

function toParts(glob: string): readonly Part[] {
  const parts = glob.match(/\*+|\[[^\]]+\]|./gsu) ?? [];
  return parts.map((part) => {
    if (part.startsWith('*')) return 'any';
    if (part === '?') return () => true;
    return part.length > 1 && part.startsWith('[') ? toClass(part.slice(1, -1)) : (character) => character === part;
  });
}

function toClass(members: string): (character: string) => boolean {
  const isNegated = /^[!^]./su.test(members);
  const choices = (isNegated ? members.slice(1) : members).match(/.-.|./gsu) ?? [];
  return (character) => choices.some((choice) => isChosen(character, Array.from(choice))) !== isNegated;
}

function isChosen(character: string, [from = '', , to = from]: readonly string[]): boolean {
  return character >= from && character <= to;
}

/** Goes back to the last "any text" alone where it fails: an earlier one could take no more than that one. */
function fitsParts(name: readonly string[], parts: readonly Part[]): boolean {
  let [at, part] = [0, 0];
  let retry: { readonly at: number; readonly part: number } | undefined;
  while (at < name.length) {
    const wanted = parts[part];
    if (wanted === 'any') {
      retry = { at: at + 1, part };
      part += 1;
    } else if (wanted?.(name[at] ?? '') === true) {
      at += 1;
      part += 1;
    } else if (retry !== undefined) {
      ({ at, part } = retry);
    } else {
      return false;
    }
  }
  return parts.slice(part).every((rest) => rest === 'any');
}
