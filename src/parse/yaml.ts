import { createRequire } from 'node:module';

import type { Document, LineCounter, Node, Pair, Scalar } from 'yaml';

import type { FrontmatterMap, FrontmatterValue } from '../model/skill.ts';

/** A fault in the YAML; `line` counts from 1 within the given text. */
export interface YamlFault {
  readonly kind: 'syntax' | 'alias' | 'not-mapping' | 'duplicate-key' | 'refused-key' | 'too-deep' | 'too-large';
  readonly message: string;
  readonly line: number;
  readonly key?: string;
}

export interface YamlReading {
  /** Present unless the text is no YAML mapping at all. Of duplicate keys the first counts. */
  readonly map?: FrontmatterMap;
  /** Faults that leave no map come alone; the others are problems of single keys. */
  readonly faults: readonly YamlFault[];
}

const require = createRequire(import.meta.url);

export const ALIAS_MESSAGE = 'aliases (*name) are not allowed';

const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
const MAX_DEPTH = 64;

/** Reads a YAML mapping with scalars as their source text. Never throws, whatever the text. */
export function readYaml(text: string): YamlReading {
  const { parseDocument, LineCounter } = loadYaml();
  const lines = new LineCounter();
  // Duplicate keys are looked for here, in linear time: the parser's own check is quadratic.
  const options = { schema: 'failsafe', uniqueKeys: false, prettyErrors: false, lineCounter: lines } as const;
  let document: Document.Parsed;
  try {
    document = parseDocument(text, options);
  } catch (error) {
    if (error instanceof RangeError) return TOO_DEEP;
    throw error;
  }
  const [error] = document.errors;
  if (error === undefined) return readDocument(document, lines);
  // The parser reports its own exhaustion as if it were a fault of the text.
  if (error.message.includes('call stack')) return TOO_DEEP;
  return { faults: [{ kind: 'syntax', message: error.message, line: lineOf(lines, error.pos[0]) }] };
}

const TOO_DEEP: YamlReading = { faults: [{ kind: 'too-deep', message: 'nested too deeply', line: 1 }] };

/** Loaded where it is first needed: most frontmatter is simple, and a warm start parses nothing. */
export function loadYaml(): typeof import('yaml') {
  // `require` is untyped; this is the package of that name.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return require('yaml') as typeof import('yaml');
}

function readDocument(document: Document.Parsed, lines: LineCounter): YamlReading {
  const faults: YamlFault[] = [];
  const walk = new Walk(lines, faults);
  const { contents } = document;
  if (contents === null || isEmptyScalar(contents)) return { map: new Map(), faults };
  const value = walk.value(contents, 0);
  const fatal = faults.find((fault) => fault.kind === 'alias' || fault.kind === 'too-deep');
  if (fatal !== undefined) return { faults: [fatal] };
  if (!isMap(value)) {
    return { faults: [{ kind: 'not-mapping', message: 'must be a mapping of fields to values', line: 1 }] };
  }
  return { map: value, faults };
}

export function isMap(value: FrontmatterValue | undefined): value is FrontmatterMap {
  return value instanceof Map;
}

/** A scalar as it is written, without quotes and escapes. */
function textOf(node: Scalar): string {
  return typeof node.value === 'string' ? node.value : (node.source ?? '');
}

function isEmptyScalar(node: Node): boolean {
  return 'source' in node && node.source === '';
}

function lineOf(lines: LineCounter, offset: number): number {
  return Math.max(1, lines.linePos(offset).line);
}

/** One pass over the node tree, collecting faults on the way. */
class Walk {
  readonly #yaml = loadYaml();
  readonly #lines: LineCounter;
  readonly #faults: YamlFault[];

  constructor(lines: LineCounter, faults: YamlFault[]) {
    this.#lines = lines;
    this.#faults = faults;
  }

  value(node: unknown, depth: number): FrontmatterValue {
    const { isAlias, isMap: isMapNode, isScalar, isSeq } = this.#yaml;
    if (depth > MAX_DEPTH) return this.#fault(node, { kind: 'too-deep', message: 'nested too deeply' });
    if (isAlias(node)) return this.#fault(node, { kind: 'alias', message: ALIAS_MESSAGE });
    if (isSeq(node)) return node.items.map((item) => this.value(item, depth + 1));
    if (isMapNode(node)) return this.#map(node.items, depth);
    if (!isScalar(node)) return null;
    const text = textOf(node);
    const isNull = node.type === 'PLAIN' && /^(?:~|null|Null|NULL|)$/.test(text);
    return isNull && node.tag === undefined ? null : text;
  }

  #map(pairs: readonly Pair[], depth: number): FrontmatterMap {
    const entries = new Map<string, FrontmatterValue>();
    for (const pair of pairs) {
      const key = this.#key(pair.key, depth);
      if (key === undefined) continue;
      const value = this.value(pair.value, depth + 1);
      if (entries.has(key))
        this.#fault(pair.key, { kind: 'duplicate-key', message: `the field "${key}" is given twice`, key });
      else entries.set(key, value);
    }
    return entries;
  }

  #key(node: unknown, depth: number): string | undefined {
    const key = this.#yaml.isScalar(node) ? textOf(node) : this.value(node, depth + 1);
    if (typeof key !== 'string') {
      this.#fault(node, { kind: 'refused-key', message: 'a field name must be a plain word' });
      return undefined;
    }
    if (!PROTOTYPE_KEYS.has(key)) return key;
    this.#fault(node, { kind: 'refused-key', message: `the field name "${key}" is not allowed`, key });
    return undefined;
  }

  #fault(node: unknown, fault: Omit<YamlFault, 'line'>): null {
    const offset = this.#yaml.isNode(node) ? (node.range?.[0] ?? 0) : 0;
    this.#faults.push({ ...fault, line: lineOf(this.#lines, offset) });
    return null;
  }
}
