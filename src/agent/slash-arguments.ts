/** A block of code, to its end or that of the text. */
const FENCED = String.raw`^[ \t]*(?<fence>\x60{3,}|~{3,})[^\n\x60]*$(?:\n[^]*?(?:^[ \t]*\k<fence>[\x60~]*[ \t]*$|$(?![^])))?`;
const ALL = String.raw`\$ARGUMENTS(?!\w)`;
/** Prices and ranges ($5M, $1.50, $2-$5) are no arguments, and neither is a part of a word. */
const NTH = String.raw`(?<![\w$\\]|\$\d+[–~-])\$[1-9](?![\w%+]|[.,–~-]\$?\d|\/\w)`;

export interface FillOptions {
  /** Does the skill say that it takes arguments? */
  readonly isDeclared: boolean;
}

/**
 * Fills `$ARGUMENTS` and `$1` to `$9` into instructions. A number beyond what was given stays. The blocks of code of
 * instructions that neither declare arguments nor say `$ARGUMENTS` are left alone: there `$1` belongs to the code.
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

/** A single quotation mark within a word is an apostrophe. */
const WORD = /(?:"[^"]*"|(?<![^\s=])'[^']*'|\S)+/g;
const QUOTED = /"([^"]*)"|(?<![^\s=])'([^']*)'/g;

/** Arguments as a shell parts them: blanks within quotation marks do not part. */
export function splitArguments(args: string): readonly string[] {
  const words = args.match(WORD) ?? [];
  return words.map((word) => word.replaceAll(QUOTED, (_, double?: string, single?: string) => double ?? single ?? ''));
}
