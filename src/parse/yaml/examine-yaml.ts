import type { Document, Node, Pair, Scalar } from 'yaml';

import type { FrontmatterMap, FrontmatterValue } from '../../model/skill.ts';
import { loadYaml } from '../lazy-packages.cjs';

/** A fault in the YAML; `line` counts from 1 within the given text. */
export interface YamlFault {
  readonly kind:
    | 'syntax'
    | 'alias'
    | 'not-mapping'
    | 'duplicate-key'
    | 'refused-key'
    | 'too-deep'
    | 'too-large'
    | 'too-costly';
  readonly message: string;
  readonly line: number;
  readonly key?: string;
}

export interface YamlReading {
  /** Undefined if the text is not a YAML mapping. The first of duplicate keys counts. */
  readonly map?: FrontmatterMap;
  /** Either one fault that leaves no map, or problems of single keys. */
  readonly faults: readonly YamlFault[];
}

export const ALIAS_MESSAGE = 'aliases (*name) are not allowed';
export const PROTOTYPE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
export const MAX_YAML_DEPTH = 64;

/**
 * Reads a YAML mapping with scalars as their source text, and says where each fault is. Aliases are refused. Never throws,
 * whatever the text.
 */
export function examineYaml(text: string): YamlReading {
  const parsed = parseYaml(text, 'failsafe');
  return 'fault' in parsed ? { faults: [parsed.fault] } : readDocument(parsed);
}

export interface ParsedYaml {
  readonly document: Document.Parsed;
  /** 1-based. */
  readonly lineAt: (offset: number) => number;
}

/** The one call of the `yaml` package for reading. `failsafe`: every scalar is text; `core`: YAML 1.2. */
export function parseYaml(text: string, schema: 'failsafe' | 'core'): ParsedYaml | { readonly fault: YamlFault } {
  const { parseDocument, LineCounter } = loadYaml();
  const lines = new LineCounter();
  const lineAt = (offset: number): number => Math.max(1, lines.linePos(offset).line);
  try {
    // Callers check duplicate keys in linear time; the parser's own check is quadratic.
    const options = { schema, uniqueKeys: false, logLevel: 'error', prettyErrors: false, lineCounter: lines } as const;
    const document = parseDocument(text, options);
    const [error] = document.errors;
    if (error === undefined) return { document, lineAt };
    // The parser reports its own stack overflow as a fault of the text, and only in words.
    const { message: foreignText } = error;
    if (foreignText.includes('call stack')) return { fault: TOO_DEEP };
    return { fault: { kind: 'syntax', message: foreignText, line: lineAt(error.pos[0]) } };
  } catch (error) {
    if (error instanceof RangeError) return { fault: TOO_DEEP };
    throw error;
  }
}

export const NESTED_TOO_DEEPLY = 'nested too deeply';

const TOO_DEEP: YamlFault = { kind: 'too-deep', message: NESTED_TOO_DEEPLY, line: 1 };

function readDocument({ document, lineAt }: ParsedYaml): YamlReading {
  const faults: YamlFault[] = [];
  const walk = new Walk(lineAt, faults);
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

/** A scalar's source text, without quotes and escapes. */
function textOf(node: Scalar): string {
  return typeof node.value === 'string' ? node.value : (node.source ?? '');
}

function isEmptyScalar(node: Node): boolean {
  return 'source' in node && node.source === '';
}

/** Converts the node tree in one pass and collects faults. */
class Walk {
  readonly #yaml = loadYaml();
  readonly #lineAt: ParsedYaml['lineAt'];
  readonly #faults: YamlFault[];

  constructor(lineAt: ParsedYaml['lineAt'], faults: YamlFault[]) {
    this.#lineAt = lineAt;
    this.#faults = faults;
  }

  value(node: unknown, depth: number): FrontmatterValue {
    const { isAlias, isMap: isMapNode, isScalar, isSeq } = this.#yaml;
    if (depth > MAX_YAML_DEPTH) return this.#fault(node, { kind: 'too-deep', message: NESTED_TOO_DEEPLY });
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
    this.#faults.push({ ...fault, line: this.#lineAt(offset) });
    return null;
  }
}
