import { once } from '../../model/once.ts';
import type { FrontmatterMap, FrontmatterValue } from '../../model/skill.ts';
import { loadJsYaml } from '../lazy-packages.cjs';
import { examineYaml, MAX_YAML_DEPTH, PROTOTYPE_KEYS, type YamlReading } from './examine-yaml.ts';

/**
 * Reads a YAML mapping. Scalars are their source text: `version: 1.0` is "1.0". If `readMapping` declines the text, the slower
 * `examineYaml` decides, and says what is wrong and where. Never throws, whatever the text.
 */
export function readYaml(text: string): YamlReading {
  const map = readMapping(text);
  return map === undefined ? examineYaml(text) : { map, faults: [] };
}

/**
 * Reads a YAML mapping with js-yaml, six times faster than `examineYaml` and with the same result. Undefined for anything
 * but one document without anchors, aliases, tags, duplicate keys and keys that could reach a prototype.
 */
export function readMapping(text: string): FrontmatterMap | undefined {
  if (text.trim() === '') return new Map();
  if (NODE_PROPERTY.test(text)) return undefined;
  const { load, YAMLException } = loadJsYaml();
  try {
    const value = load(text, { schema: textSchema(), maxDepth: MAX_YAML_DEPTH, maxAliases: 0 });
    return isFields(value) ? value : undefined;
  } catch (error) {
    if (error instanceof YAMLException) return undefined;
    throw error;
  }
}

/** An anchor or tag at the start of a value. With one, js-yaml accepts a mapping that is not valid there: `a: &b c: d`. */
export const NODE_PROPERTY: RegExp = /(?:^|[:?-][ \t]+|[[{,][ \t]*)[&!]\S/m;

/** Every scalar is text, or null. */
const textSchema = once(() => {
  const { nullCoreTag, realMapTag, Schema, seqTag, strTag } = loadJsYaml();
  return new Schema([strTag, nullCoreTag, seqTag, realMapTag]);
});

function isFields(value: unknown): value is FrontmatterMap {
  if (!(value instanceof Map)) return false;
  for (const [key, item] of value)
    if (typeof key !== 'string' || PROTOTYPE_KEYS.has(key) || !isFieldValue(item)) return false;
  return true;
}

function isFieldValue(value: unknown): value is FrontmatterValue {
  if (typeof value === 'string' || value === null) return true;
  return Array.isArray(value) ? value.every(isFieldValue) : isFields(value);
}
