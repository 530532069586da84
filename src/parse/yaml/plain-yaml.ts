import { once } from '../../model/once.ts';
import { fail, type Failure, type Outcome } from '../../model/outcome.ts';
import { loadJsYaml, loadYaml } from '../lazy-packages.cjs';
import { MAX_YAML_DEPTH, NESTED_TOO_DEEPLY, parseYaml, type ParsedYaml } from './examine-yaml.ts';
import { NODE_PROPERTY } from './read-yaml.ts';

/** A fault of a file, with its line; 1-based. */
export interface FileFailure extends Failure {
  readonly line: number;
}

export interface PlainYaml {
  readonly value: unknown;
  /** The line of the entry at this path, or of its closest ancestor that has one. */
  readonly lineOf: (path: readonly PropertyKey[]) => number;
}

/**
 * Reads one of our own YAML files as plain data: numbers are numbers, and aliases are resolved. Never throws, whatever
 * the text. js-yaml reads it; `yaml`, which is slower, decides what js-yaml declines, and finds the lines of faults.
 */
export function readPlainYaml(text: string, maxBytes: number): Outcome<PlainYaml, FileFailure> {
  if (Buffer.byteLength(text) > maxBytes) return fileFailure(1, `is larger than ${maxBytes} bytes`);
  const loaded = loadPlain(text);
  if (loaded === undefined) return examinePlainYaml(text);
  const parsed = once(() => parseYaml(text, 'core'));
  return { ok: true, value: loaded.value, lineOf: (path) => findLine(parsed(), path) };
}

/** The same, but a key that is given several times has the list of all its values, instead of failing. */
export function readRepeatedYaml(text: string, maxBytes: number): Outcome<PlainYaml, FileFailure> {
  if (Buffer.byteLength(text) > maxBytes) return fileFailure(1, `is larger than ${maxBytes} bytes`);
  return examinePlainYaml(text, joinValues);
}

/** Undefined for anything but one document, or none, with plain keys and without anchors, aliases, tags and duplicate keys. */
function loadPlain(text: string): { readonly value: unknown } | undefined {
  if (NODE_PROPERTY.test(text) || hasOddEnd(text)) return undefined;
  const { loadAll, YAMLException } = loadJsYaml();
  try {
    const documents = loadAll(text, { schema: plainSchema(), maxDepth: MAX_YAML_DEPTH, maxAliases: 0 });
    return documents.length > 1 ? undefined : { value: documents[0] };
  } catch (error) {
    if (error instanceof YAMLException) return undefined;
    throw error;
  }
}

/** Does `...` stand before a document, or before anything but comments? js-yaml passes over such ends, `yaml` does not. */
function hasOddEnd(text: string): boolean {
  const end = text.search(/^\.\.\./m);
  if (end === -1) return false;
  const [, ...after] = text.slice(end).split('\n');
  return text.slice(0, end).split('\n').every(isComment) || !after.every(isComment);
}

function isComment(line: string): boolean {
  return /^\uFEFF?\s*(?:#.*)?$/.test(line);
}

const plainSchema = once(() => {
  const { CORE_SCHEMA, defineMappingTag, mapTag } = loadJsYaml();
  const plainMap = defineMappingTag<Record<string, unknown>>(mapTag.tagName, {
    ...mapTag,
    addPair: (map, key, value) =>
      typeof key === 'string' && key !== '__proto__' ? mapTag.addPair(map, key, value) : 'not a plain key',
  });
  return CORE_SCHEMA.withTags(plainMap);
});

function examinePlainYaml(text: string, change?: (parsed: ParsedYaml) => void): Outcome<PlainYaml, FileFailure> {
  const parsed = parseYaml(text, 'core');
  if ('fault' in parsed) return fileFailure(parsed.fault.line, parsed.fault.message);
  change?.(parsed);
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

function findLine(parsed: ReturnType<typeof parseYaml>, path: readonly PropertyKey[]): number {
  if ('fault' in parsed) return parsed.fault.line;
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
