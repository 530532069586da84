/** The simple commands of a shell text, each as its words; `bash -c` and its like are looked into. */
export function splitCommands(text: string, depth = 0): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  for (const token of tokenize(text)) {
    if (token.kind === 'end') commands.push([]);
    else commands.at(-1)?.push(token.word);
  }
  return commands
    .filter((words) => words.length > 0)
    .flatMap((words) => {
      const inner = depth < DEEPEST ? findInner(words) : undefined;
      return inner === undefined ? [words] : splitCommands(inner, depth + 1);
    });
}

const DEEPEST = 3;
const SHELLS = new Set(['bash', 'sh', 'zsh']);

/** The text that a shell is given after `-c` or `-lc`. */
function findInner(words: readonly string[]): string | undefined {
  const [program = '', flag = '', text] = words;
  return SHELLS.has(baseName(program)) && /^-\w*c$/.test(flag) ? text : undefined;
}

/** The last part of a path of any system. */
export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

type Token = { readonly kind: 'end' } | { readonly kind: 'word'; readonly word: string };

const PIECE =
  /(\s*(?:&&|\|\||[;|&\n])\s*)|([ \t\r]+)|'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])|([^\s'"\\;|&]+)|(['"\\])/gy;

function* tokenize(text: string): Generator<Token> {
  let word: string | undefined;
  for (const [, end, gap, single, double, escaped, plain, lone] of text.matchAll(PIECE)) {
    if (end === undefined && gap === undefined) {
      word = `${word ?? ''}${single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped ?? plain ?? lone ?? ''}`;
      continue;
    }
    if (word !== undefined) yield { kind: 'word', word };
    word = undefined;
    if (end !== undefined) yield { kind: 'end' };
  }
  if (word !== undefined) yield { kind: 'word', word };
}
