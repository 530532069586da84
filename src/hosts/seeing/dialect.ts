import { MAX_FRONTMATTER_BYTES } from '../../model/limits.ts';
import type { FrontmatterMap, FrontmatterValue } from '../../model/skill.ts';
import { parseYaml } from '../../parse/yaml/examine-yaml.ts';
import { readYaml } from '../../parse/yaml/read-yaml.ts';
import { recoverYaml } from '../../parse/yaml/recover.ts';

/** How a host reads frontmatter. */
export interface Dialect {
  /** Cuts a file in two; undefined if the host finds no frontmatter in it. */
  readonly split: (text: string) => { readonly yaml: string; readonly body: string } | undefined;
  /** Parses the fields in its own way. */
  readonly read?: ((yaml: string) => FrontmatterMap) | undefined;
  /** Reads text that is not valid YAML; undefined if it cannot. */
  readonly recover?: ((yaml: string) => FrontmatterMap | undefined) | undefined;
  /** Is a value that begins with an unknown tag, such as `!important`, not valid? */
  readonly refusesTags?: boolean;
  /** Does a list in place of fields count as no fields? */
  readonly ignoresLists?: boolean;
  /** The value that counts if a field is given twice. */
  readonly duplicates: 'first' | 'last' | 'refused';
}

export type FieldsReading =
  | { readonly ok: true; readonly fields: FrontmatterMap }
  | { readonly ok: false; readonly because: string };

/** Reads frontmatter as the host does. Scalars are their source text. */
export function readHostFields(
  yaml: string,
  { read, recover, refusesTags = false, ignoresLists = false, duplicates }: Dialect,
): FieldsReading {
  if (yaml.length > MAX_FRONTMATTER_BYTES)
    return { ok: false, because: 'its frontmatter is too large to be read here' };
  if (read !== undefined) return { ok: true, fields: read(yaml) };
  if (UNPRINTABLE.test(yaml)) return { ok: false, because: 'its frontmatter has characters that YAML does not allow' };
  if (refusesTags && /^[\w-]+:[ \t]+![^!\s]/m.test(yaml))
    return { ok: false, because: 'its frontmatter has a value that begins with !' };
  const { map, faults } = readYaml(yaml);
  const [fault] = faults;
  if (fault === undefined && map !== undefined) return { ok: true, fields: map };
  if (fault?.kind === 'alias' || (fault?.kind === 'duplicate-key' && duplicates === 'last')) return readLoosely(yaml);
  if (fault?.kind === 'not-mapping' && ignoresLists) return { ok: true, fields: new Map() };
  if (fault?.kind === 'not-mapping') return { ok: false, because: 'its frontmatter is no list of fields' };
  if (map !== undefined && duplicates === 'first') return { ok: true, fields: map };
  const because = `its frontmatter is not valid YAML (line ${fault?.line ?? 1}: ${fault?.message ?? ''})`;
  const recovered = recover?.(yaml);
  return recovered === undefined ? { ok: false, because } : { ok: true, fields: recovered };
}

/** Control characters that YAML leaves out. */
const UNPRINTABLE = /[\0-\u0008\u000B\u000C\u000E-\u001F\u007F]/;

/**
 * Quotes values that do not stand on their own, such as those with a second colon; but closes no quote, and recovers none that
 * begins with one of `unless`.
 */
export function quoteValues(yaml: string, unless = '-'): FrontmatterMap | undefined {
  const { yaml: recovered, fixes } = recoverYaml(yaml);
  const lines = yaml.split('\n');
  const isKept = (line: string): boolean => `"'${unless}`.includes(/:\s*(\S)/.exec(line)?.[1] ?? ' ');
  if (fixes.some(({ line }) => isKept(lines[line - 1] ?? ''))) return undefined;
  const { map, faults } = readYaml(recovered);
  return faults.length > 0 ? undefined : map;
}

const MOST_ALIASES = 16;

/** With aliases, and the last of several values. */
function readLoosely(yaml: string): FieldsReading {
  const parsed = parseYaml(yaml, 'failsafe');
  if ('fault' in parsed) return { ok: false, because: parsed.fault.message };
  try {
    const value: unknown = parsed.document.toJS({ mapAsMap: true, maxAliasCount: MOST_ALIASES });
    return value instanceof Map
      ? { ok: true, fields: toFields(value) }
      : { ok: false, because: 'its frontmatter is no list of fields' };
  } catch (error) {
    // The library refuses a text whose aliases would grow without bounds.
    if (!(error instanceof ReferenceError)) throw error;
    return { ok: false, because: error.message };
  }
}

function toFields(map: ReadonlyMap<unknown, unknown>): FrontmatterMap {
  return new Map([...map].map(([key, value]) => [String(key), toValue(value)]));
}

function toValue(value: unknown): FrontmatterValue {
  if (value instanceof Map) return toFields(value);
  if (Array.isArray(value)) return value.map(toValue);
  return typeof value === 'string' ? value : null;
}

/** Frontmatter from the first line on, between lines of three dashes. */
export function splitAtFences(text: string): ReturnType<Dialect['split']> {
  const match = /^---[ \t]*\r?\n([^]*?)(?:^|\n)---[ \t]*(?:\r?\n|$)/.exec(text);
  return match === null ? undefined : { yaml: `${match[1] ?? ''}\n`, body: text.slice(match[0].length) };
}
