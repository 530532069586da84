/** A parsed pattern, so that its cost can be counted instead of timed. */
export interface CountedPattern {
  /** Length of the longest text it can match; Infinity if a part repeats without bound. */
  readonly longest: number;
  /** Matches as `matchAll` does, by backtracking, and counts every step. */
  count(text: string): { readonly steps: number; readonly matches: readonly (readonly [number, number])[] };
}

export function takeApart({ source, flags }: RegExp): CountedPattern {
  const root = parsePattern(source, flags.includes('i') ? 'iu' : 'u');
  return { longest: lengthOf(root), count: (text) => countMatches(root, text) };
}

type Node =
  | { readonly kind: 'letter'; readonly accepts: (letter: string) => boolean }
  | { readonly kind: 'row' | 'choice'; readonly nodes: readonly Node[] }
  | {
      readonly kind: 'repeat';
      readonly node: Node;
      readonly min: number;
      readonly max: number;
      readonly isLazy: boolean;
    }
  | { readonly kind: 'group'; readonly node: Node; readonly index: number }
  | { readonly kind: 'same'; readonly index: number }
  | { readonly kind: 'look'; readonly node: Node; readonly isAhead: boolean; readonly isNegative: boolean }
  | { readonly kind: 'edge'; readonly holds: (text: string, at: number) => boolean };

function parsePattern(source: string, flags: string): Node {
  let at = 0;
  let groups = 0;
  const take = (pattern: RegExp): string | undefined => {
    const sticky = new RegExp(pattern, 'y');
    sticky.lastIndex = at;
    const taken = sticky.exec(source)?.[0];
    at += taken?.length ?? 0;
    return taken;
  };
  const choice = (): Node => {
    const nodes = [row()];
    while (take(/\|/) !== undefined) nodes.push(row());
    return { kind: 'choice', nodes };
  };
  const row = (): Node => {
    const nodes: Node[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') nodes.push(repeated(atom()));
    return { kind: 'row', nodes };
  };
  const repeated = (node: Node): Node => {
    const mark = take(/[*+?]|\{\d+(?:,\d*)?\}/);
    if (mark === undefined) return node;
    const simple: Readonly<Record<string, readonly [number, number]>> = {
      '*': [0, Infinity],
      '+': [1, Infinity],
      '?': [0, 1],
    };
    const [from = '', to = from] = mark.slice(1, -1).split(',');
    const [min, max] = simple[mark] ?? [Number(from), to === '' ? Infinity : Number(to)];
    return { kind: 'repeat', node, min, max, isLazy: take(/\?/) !== undefined };
  };
  const atom = (): Node => {
    const look = take(/\(\?<?[=!]/);
    if (look !== undefined)
      return { kind: 'look', node: closed(), isAhead: !look.includes('<'), isNegative: look.endsWith('!') };
    if (take(/\(\?:/) !== undefined) return closed();
    if (take(/\(/) !== undefined) return { kind: 'group', index: (groups += 1), node: closed() };
    if (take(/\\b/) !== undefined)
      return { kind: 'edge', holds: (text, offset) => isWord(text[offset - 1]) !== isWord(text[offset]) };
    if (take(/\^/) !== undefined) return { kind: 'edge', holds: (_, offset) => offset === 0 };
    if (take(/\$/) !== undefined) return { kind: 'edge', holds: (text, offset) => offset === text.length };
    const same = take(/\\[1-9]/);
    if (same !== undefined) return { kind: 'same', index: Number(same.slice(1)) };
    return letter(take(/\[(?:\\.|[^\]\\])*\]|\\(?:x[\da-f]{2}|u[\da-f]{4}|.)|[\s\S]/i) ?? '', flags);
  };
  const closed = (): Node => {
    const node = choice();
    if (take(/\)/) === undefined) throw new Error(`no ) at ${at} of ${source}`);
    return node;
  };
  const root = choice();
  if (at !== source.length) throw new Error(`${source.slice(at)} was not understood`);
  return root;
}

function letter(source: string, flags: string): Node {
  const plain = source.replaceAll(/\\([^\w\s\\\]^$.*+?()[{}|/-])/g, '$1').replaceAll(/(?<=\[[^\]]*)\\-/g, '\\x2d');
  const pattern = new RegExp(`^${plain}$`, flags.replace('u', ''));
  const known: boolean[] = [];
  return {
    kind: 'letter',
    accepts: (given) => (known[given.charCodeAt(0)] ??= pattern.test(given)),
  };
}

const WORD = new Set('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_');

function isWord(given: string | undefined): boolean {
  return given !== undefined && WORD.has(given);
}

function lengthOf(node: Node): number {
  switch (node.kind) {
    case 'letter':
      return 1;
    case 'row':
      return node.nodes.reduce((sum, inner) => sum + lengthOf(inner), 0);
    case 'choice':
      return Math.max(...node.nodes.map(lengthOf));
    case 'repeat':
      return lengthOf(node.node) === 0 ? 0 : lengthOf(node.node) * node.max;
    case 'group':
      return lengthOf(node.node);
    case 'same':
      // The longest text that a rule captures and refers back to.
      return 100;
    case 'look':
      return lengthOf(node.node) === Infinity ? Infinity : 0;
    case 'edge':
    default:
      return 0;
  }
}

type Next = (at: number) => boolean;

function countMatches(root: Node, text: string): ReturnType<CountedPattern['count']> {
  let steps = 0;
  const captured = new Map<number, string>();
  const meet = (node: Node, at: number, next: Next): boolean => {
    steps += 1;
    switch (node.kind) {
      case 'letter':
        return at < text.length && node.accepts(text[at] ?? '') && next(at + 1);
      case 'row':
        return meetRow(node.nodes, 0, { at, next });
      case 'choice':
        return node.nodes.some((inner) => meet(inner, at, next));
      case 'repeat':
        return node.node.kind === 'letter' ? meetLetters(node, at, next) : meetAgain(node, 0, { at, next });
      case 'group':
        return meet(node.node, at, (end) => {
          captured.set(node.index, text.slice(at, end));
          return next(end);
        });
      case 'same': {
        const same = captured.get(node.index) ?? '';
        return text.startsWith(same, at) && next(at + same.length);
      }
      case 'look':
        return looks(node, at) !== node.isNegative && next(at);
      case 'edge':
      default:
        return node.holds(text, at) && next(at);
    }
  };
  const meetRow = (nodes: readonly Node[], index: number, { at, next }: { at: number; next: Next }): boolean => {
    const node = nodes[index];
    return node === undefined ? next(at) : meet(node, at, (end) => meetRow(nodes, index + 1, { at: end, next }));
  };
  type Repeat = Extract<Node, { readonly kind: 'repeat' }>;
  const meetLetters = (repeat: Repeat, at: number, next: Next): boolean => {
    const isMet = (offset: number): boolean => {
      steps += 1;
      return offset < text.length && repeat.node.kind === 'letter' && repeat.node.accepts(text[offset] ?? '');
    };
    let count = 0;
    while (count < (repeat.isLazy ? repeat.min : repeat.max) && isMet(at + count)) count += 1;
    if (count < repeat.min) return false;
    if (!repeat.isLazy) {
      for (let kept = count; kept >= repeat.min; kept -= 1) if (next(at + kept)) return true;
      return false;
    }
    for (;;) {
      if (next(at + count)) return true;
      if (count === repeat.max || !isMet(at + count)) return false;
      count += 1;
    }
  };
  const meetAgain = (repeat: Repeat, count: number, { at, next }: { at: number; next: Next }): boolean => {
    const again = (): boolean =>
      count < repeat.max && meet(repeat.node, at, (end) => end > at && meetAgain(repeat, count + 1, { at: end, next }));
    if (count < repeat.min) return again();
    return repeat.isLazy ? next(at) || again() : again() || next(at);
  };
  const looks = ({ node, isAhead }: Extract<Node, { readonly kind: 'look' }>, at: number): boolean => {
    if (isAhead) return meet(node, at, () => true);
    for (let from = at; from >= Math.max(0, at - lengthOf(node)); from -= 1)
      if (meet(node, from, (end) => end === at)) return true;
    return false;
  };
  const matches: (readonly [number, number])[] = [];
  for (let at = 0; at <= text.length;) {
    let end = -1;
    captured.clear();
    const isMet = meet(root, at, (offset) => {
      end = offset;
      return true;
    });
    if (isMet) matches.push([at, end]);
    at = isMet && end > at ? end : at + 1;
  }
  return { steps, matches };
}
