import { listSome } from '../model/list-some.ts';
import type { UnreadableRule } from './settings.ts';

export interface StrictReading {
  /** A valid value in the form of the file; undefined counts as not given. */
  readonly value: unknown;
  /** The end of a message: how the value counts until it is corrected. */
  readonly consequence: string;
}

/** Is this a valid entry of the list? */
type EntryCheck = (entry: unknown) => boolean;

/** Reads an invalid value so that a mistake never allows more than its author meant. */
export function readStrictly(rule: UnreadableRule, value: unknown, isGood: EntryCheck): StrictReading {
  return READERS[rule](value, isGood);
}

const READERS: Readonly<Record<UnreadableRule, (value: unknown, isGood: EntryCheck) => StrictReading>> = {
  'is ignored': () => ({ value: undefined, consequence: 'this value is ignored' }),
  'counts as false': () => ({ value: false, consequence: 'until it is corrected, it counts as false' }),
  'counts as require': () => ({ value: 'require', consequence: 'until it is corrected, it counts as require' }),
  'counts as info': () => ({ value: 'info', consequence: 'until it is corrected, it counts as info' }),
  'keeps every name': (value) => {
    const names = collectNames(value);
    return names.length === 0 ? { value: [], consequence: 'it holds no name that can be read' } : keep(names);
  },
  'keeps good entries': (value, isGood) => {
    const good = entriesOf(value).filter(isGood);
    return good.length === 0 ? { value: [], consequence: 'this value is ignored' } : keep(good);
  },
  'allows good entries': (value, isGood) => {
    const good = (isGood(value) ? [value] : entriesOf(value)).filter(isGood);
    // An empty allow-list would allow everything; no skill has the empty name.
    return good.length === 0 ? { value: [''], consequence: 'until it is corrected, nothing is allowed' } : keep(good);
  },
  'disables bad entries': (value, isGood) => ({
    value: pluginsOf(value).flatMap((entry) => (isGood(entry) ? [entry] : disablePlugin(entry))),
    consequence: 'until it is corrected, a plugin whose entry is wrong is disabled',
  }),
};

function keep(entries: readonly unknown[]): StrictReading {
  return { value: entries, consequence: `these entries count: ${listSome(entries.map(String), { most: 5 })}` };
}

function entriesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Every name in a value: texts, entries of lists, and keys, since `- pdf: why` is a mapping. */
function collectNames(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(collectNames);
  if (typeof value === 'object') return Object.keys(value ?? {});
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : [];
}

/** The entries of the list. A mapping or an address in its place names plugins, too, but none that is enabled. */
function pluginsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'string' ? [{ url: value, enabled: '' }] : collectNames(value).map((name) => ({ name }));
}

/** The plugin with what can be read of its address and name, switched off. */
function disablePlugin(entry: unknown): readonly object[] {
  if (typeof entry !== 'object' || entry === null) return [];
  const { url, ref, name }: { url?: unknown; ref?: unknown; name?: unknown } = entry;
  if (typeof url !== 'string' && typeof name !== 'string') return [];
  const known = Object.entries({ ref, name }).filter(([, text]) => typeof text === 'string');
  return [{ url: typeof url === 'string' ? url : '', ...Object.fromEntries(known), enabled: false }];
}
