/**
 * A plugin for the linter. Its rule `no-reading-texts` keeps code from deciding by the words of a `message`, `reason` or `because`: no
 * searching, no regular expressions, no comparisons but with undefined, null and the empty text. Texts may change; kinds and codes
 * are for programs. Text of foreign programs has another name, such as `foreignText`.
 */

const TEXTS: ReadonlySet<string> = new Set(['message', 'reason', 'because']);
const READERS: ReadonlySet<string> = new Set([
  'startsWith',
  'endsWith',
  'includes',
  'indexOf',
  'lastIndexOf',
  'match',
  'matchAll',
  'search',
  'replace',
  'replaceAll',
]);

/** A node of the syntax tree, as far as the rule looks. */
interface Node {
  readonly type: string;
  readonly name?: string;
  readonly value?: unknown;
  readonly operator?: string;
  readonly computed?: boolean;
  readonly callee?: Node;
  readonly object?: Node;
  readonly property?: Node;
  readonly expression?: Node;
  readonly left?: Node;
  readonly right?: Node;
  readonly discriminant?: Node;
  readonly arguments?: readonly Node[];
}

interface Context {
  report(finding: { readonly node: Node; readonly message: string }): void;
}

const ADVICE = 'Decide by a code or a kind: the words of a message, reason or because may change.';

/** Is this a text for people, or something made of one? */
function isText(node: Node | undefined): boolean {
  switch (node?.type) {
    case 'Identifier':
      return TEXTS.has(node.name ?? '');
    case 'MemberExpression':
      return node.computed !== true && TEXTS.has(node.property?.name ?? '');
    case 'CallExpression':
      return node.callee?.type === 'MemberExpression' && isText(node.callee.object);
    case 'ChainExpression':
    case 'TSNonNullExpression':
    case 'TSAsExpression':
      return isText(node.expression);
    case undefined:
    default:
      return false;
  }
}

/** Comparing with these does not look at the words, or what is compared is the answer of a reader. */
function isNothing(node: Node | undefined): boolean {
  if (node?.type === 'Identifier') return node.name === 'undefined';
  return node?.type === 'Literal' && (typeof node.value !== 'string' || node.value === '');
}

const noReadingTexts = {
  create(context: Context) {
    const report = (node: Node): void => context.report({ node, message: ADVICE });
    return {
      CallExpression(node: Node) {
        if (node.callee?.type !== 'MemberExpression') return;
        const { object, property } = node.callee;
        if (READERS.has(property?.name ?? '') && isText(object)) report(node);
        const isPattern = property?.name === 'test' || property?.name === 'exec';
        if (isPattern && node.arguments?.some(isText) === true) report(node);
      },
      BinaryExpression(node: Node) {
        if (!['===', '!==', '==', '!='].includes(node.operator ?? '')) return;
        const { left, right } = node;
        if ((isText(left) && !isNothing(right)) || (isText(right) && !isNothing(left))) report(node);
      },
      SwitchStatement(node: Node) {
        if (isText(node.discriminant)) report(node);
      },
    };
  },
};

export default { meta: { name: 'texts' }, rules: { 'no-reading-texts': noReadingTexts } };
