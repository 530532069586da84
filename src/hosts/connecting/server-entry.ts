import type { Outcome } from '../../model/outcome.ts';
import { systemName, type Environment } from '../../platform/environment.ts';
import { SERVER_NAME } from '../clients/client-config.ts';
import { CLIENT_TABLE, type ClientName, type Connection, type EntryEdit } from '../clients/client-table.ts';
import { editJson } from '../clients/edit-json.ts';
import { editToml, findInToml, removeFromToml } from '../clients/edit-toml.ts';
import { takeJsonEntry } from '../editing/json-entries.ts';
import { isObject, parseJsonText } from '../editing/json-text.ts';
import { itemsAt, valueAt } from '../history/json-value.ts';

type Entry = Readonly<Record<string, unknown>>;

/** Our server in the settings of a client. */
export interface ServerEntry {
  /** The settings of the client's user. */
  file(place: Pick<Environment, 'cwd' | 'home' | 'variables'>): string;
  find(text: string): Entry | undefined;
  /** Puts it in. What a person gave the `present` entry beyond that, such as more rights, stays. */
  put(text: string, connection: Connection, present?: Entry): Outcome<{ readonly text: string }>;
  take(text: string): Outcome<{ readonly text: string }>;
}

export function serverEntry(client: ClientName): ServerEntry {
  const { section, format, entry, userFile } = CLIENT_TABLE[client];
  const place = { section, name: SERVER_NAME };
  const find =
    format === 'toml' ? (text: string) => findInToml(text, place) : (text: string) => findInJson(text, section);
  return {
    file: ({ cwd, home, variables: env }) => userFile({ cwd, home, env, platform: systemName() }),
    find,
    put(text, connection, present) {
      const wanted = entry(connection);
      const edit: EntryEdit = { ...place, entry: present === undefined ? wanted : keepGiven(present, wanted) };
      return format === 'toml' ? editToml(text, edit) : editJson(text, edit);
    },
    take(text) {
      if (format === 'toml') return removeFromToml(text, place);
      const value = find(text);
      return value === undefined
        ? { ok: true, text }
        : takeJsonEntry(text, { kind: 'key', at: [section, SERVER_NAME], value });
    },
  };
}

function findInJson(text: string, section: string): Entry | undefined {
  const parsed = parseJsonText(text.replace(/^\uFEFF/, ''));
  const found = parsed.ok ? valueAt(parsed.value, section, SERVER_NAME) : undefined;
  return isObject(found) ? found : undefined;
}

/** An entry that starts our server as its person wants it keeps their options; one that names a URL stays as it is. */
function keepGiven(present: Entry, wanted: Entry): Entry {
  const list = Array.isArray(wanted['args']) ? 'args' : 'command';
  const [given, ours] = [itemsAt(present, list), itemsAt(wanted, list)];
  const own = given.slice(given.indexOf('mcp') + 1);
  if (!given.includes('mcp')) return (present['url'] ?? present['httpUrl']) ? present : wanted;
  const options = own.filter((word, at) => word !== '--host' && own[at - 1] !== '--host');
  const start = ours.slice(0, ours.indexOf('mcp') + 1);
  const rest = ours.slice(ours.indexOf('mcp') + 1);
  return { ...wanted, [list]: [...start, ...options, ...rest.filter((word) => !options.includes(word))] };
}
