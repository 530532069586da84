import type { Outcome } from '../../model/outcome.ts';
import { systemName, type Environment } from '../../platform/environment.ts';
import { SERVER_NAME } from '../clients/client-config.ts';
import { CLIENT_TABLE, ENTRY_KEYS, type ClientName, type Connection } from '../clients/client-table.ts';
import { takeJsonEntry } from '../editing/json-entries.ts';
import { findJsonObject, setJsonObject } from '../editing/json-object.ts';
import { findTomlTable, removeTomlTable, setTomlTable } from '../editing/toml-tables.ts';
import { itemsAt } from '../history/json-value.ts';

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
  const find = (text: string): Entry | undefined =>
    format === 'toml' ? findTomlTable(text, place) : findJsonObject(text, place);
  return {
    file: ({ cwd, home, variables: env }) => userFile({ cwd, home, env, platform: systemName() }),
    find,
    put(text, connection, present) {
      const wanted = entry(connection);
      const kept = present === undefined ? wanted : keepGiven(present, wanted);
      const edit = { ...place, entry: kept, ownKeys: ENTRY_KEYS };
      return format === 'toml' ? setTomlTable(text, edit) : setJsonObject(text, edit);
    },
    take(text) {
      if (format === 'toml') return removeTomlTable(text, place);
      const value = find(text);
      return value === undefined
        ? { ok: true, text }
        : takeJsonEntry(text, { kind: 'key', at: [section, SERVER_NAME], value });
    },
  };
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
