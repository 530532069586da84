import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { loadYaml } from '../lazy-packages.ts';
import { NESTED_TOO_DEEPLY, parseYaml, type ParsedYaml } from './examine-yaml.ts';

/** A fault of a file, with its line; 1-based. */
export interface FileFailure extends Failure {
  readonly line: number;
}

export interface PlainYaml {
  readonly value: unknown;
  /** The line of the entry at this path, or of its closest ancestor that has one. */
  readonly lineOf: (path: readonly PropertyKey[]) => number;
}

export interface PlainYamlOptions {
  /** Reads a key that is given several times as the list of all its values, instead of failing. */
  readonly joinRepeated?: boolean | undefined;
}

/**
 * Reads one of our own YAML files as plain data: numbers are numbers, and aliases are resolved. Never throws, whatever
 * the text.
 */
export function readPlainYaml(
  text: string,
  maxBytes: number,
  { joinRepeated = false }: PlainYamlOptions = {},
): Outcome<PlainYaml, FileFailure> {
  if (Buffer.byteLength(text) > maxBytes) return fileFailure(1, `is larger than ${maxBytes} bytes`);
  const parsed = parseYaml(text, 'core');
  if ('fault' in parsed) return fileFailure(parsed.fault.line, parsed.fault.message);
  if (joinRepeated) joinValues(parsed);
  const plain = toPlain(parsed);
  return plain.ok ? { ...plain, lineOf: (path) => findLine(parsed, path) } : plain;
}

export function fileFailure(line: number, message: string): FileFailure {
  return { ...fail('CONFIG_INVALID', message), line };
}

/** The library throws on dangling aliases, alias bombs and extreme nesting. */
function toPlain(parsed: ParsedYaml): Outcome<{ readonly value: unknown }, FileFailure> {
  try {
    return findBadKey(parsed) ?? { ok: true, value: parsed.document.toJS() };
  } catch (error) {
    if (error instanceof ReferenceError) return fileFailure(1, error.message);
    if (error instanceof RangeError) return fileFailure(1, NESTED_TOO_DEEPLY);
    throw error;
  }
}

/** A key that a mapping has twice, or that cannot be a property of a plain object. */
function findBadKey({ document, lineAt }: ParsedYaml): FileFailure | undefined {
  const { isNode, isScalar, visit } = loadYaml();
  let failure: FileFailure | undefined;
  visit(document, {
    Map(_key, { items }) {
      const seen = new Set<string>();
      for (const { key } of items) {
        const name = String(isScalar(key) ? key.value : key);
        const fault = findKeyFault(name, seen);
        seen.add(name);
        if (fault === undefined) continue;
        failure = fileFailure(lineAt((isNode(key) ? key.range?.[0] : undefined) ?? 0), fault);
        return visit.BREAK;
      }
      return undefined;
    },
  });
  return failure;
}

function joinValues({ document }: ParsedYaml): void {
  const { isScalar, isSeq, visit } = loadYaml();
  visit(document, {
    Map(_key, map) {
      const groups = Map.groupBy(map.items, ({ key }) => String(isScalar(key) ? key.value : key));
      if (groups.size === map.items.length) return;
      map.items = [...groups.values()].flatMap(([first, ...others]) => {
        if (first === undefined) return [];
        const values = [first, ...others].flatMap(({ value }) => (isSeq(value) ? value.items : [value]));
        if (others.length > 0) first.value = document.createNode(values);
        return [first];
      });
    },
  });
}

function findKeyFault(name: string, seen: ReadonlySet<string>): string | undefined {
  if (name === '__proto__') return 'the key __proto__ is not allowed';
  return seen.has(name) ? `the key ${name} is given twice` : undefined;
}

function findLine(parsed: ParsedYaml, path: readonly PropertyKey[]): number {
  const { isNode } = loadYaml();
  for (let length = path.length; length > 0; length -= 1) {
    const node = findStart(parsed, path.slice(0, length));
    if (isNode(node) && node.range) return parsed.lineAt(node.range[0]);
  }
  return 1;
}

/** The node that an entry starts with: its key, or the item itself in a list. */
function findStart({ document }: ParsedYaml, path: readonly PropertyKey[]): unknown {
  const { isMap, isScalar } = loadYaml();
  const parent: unknown = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (!isMap(parent)) return document.getIn(path, true);
  return parent.items.find(({ key }) => String(isScalar(key) ? key.value : key) === String(path.at(-1)))?.key;
}
