/** A fenced code block, up to its closing fence or the end of the text. */
const FENCED = String.raw`^[ \t]*(?<fence>\x60{3,}|~{3,})[^\n\x60]*$(?:\n[^]*?(?:^[ \t]*\k<fence>[\x60~]*[ \t]*$|$(?![^])))?`;
const ALL = String.raw`\$ARGUMENTS(?!\w)`;
/** `$1` to `$9`, but not prices and ranges ($5M, $1.50, $2-$5) or parts of a word. */
const NTH = String.raw`(?<![\w$\\]|\$\d+[–~-])\$[1-9](?![\w%+]|[.,–~-]\$?\d|\/\w)`;

export interface FillOptions {
  /** True if the skill declares that it takes arguments. */
  readonly isDeclared: boolean;
}

/**
 * Replaces `$ARGUMENTS` and `$1` to `$9` in instructions. Numbers without a matching argument stay. If the instructions
 * neither declare arguments nor contain `$ARGUMENTS`, code blocks stay unchanged: there `$1` belongs to the code.
 */
export function fillArguments(body: string, args: string, { isDeclared }: FillOptions): string {
  const words = splitArguments(args);
  const isAsking = isDeclared || new RegExp(ALL).test(body);
  const places = new RegExp(isAsking ? `${ALL}|${NTH}` : `${FENCED}|${NTH}`, 'gm');
  return body.replaceAll(places, (place) => {
    if (place === '$ARGUMENTS') return args;
    return (/^\$\d$/.test(place) ? words[Number(place[1]) - 1] : undefined) ?? place;
  });
}

/** A single quote inside a word is an apostrophe. */
const WORD = /(?:"[^"]*"|(?<![^\s=])'[^']*'|\S)+/g;
const QUOTED = /"([^"]*)"|(?<![^\s=])'([^']*)'/g;

/** Splits arguments like a shell: quoted spaces do not separate. */
export function splitArguments(args: string): readonly string[] {
  const words = args.match(WORD) ?? [];
  return words.map((word) => word.replaceAll(QUOTED, (_, double?: string, single?: string) => double ?? single ?? ''));
}
