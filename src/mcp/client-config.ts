import { editForeignFile, type ForeignEdit } from '../engine/edit-foreign-file.ts';
import type { Outcome } from '../model/outcome.ts';
import { CLIENT_TABLE, type ClientName, type ClientPlace, type Connection } from './client-table.ts';

export { CLIENT_NAMES, type ClientName, type ClientPlace, type Connection } from './client-table.ts';

/** An entry and where it belongs in a configuration. */
export interface EntryEdit {
  readonly section: string;
  readonly name: string;
  readonly entry: Readonly<Record<string, unknown>>;
}

/** What a client needs to know of this server. */
export interface ClientConfig {
  /** Where the client looks for it. */
  readonly file: string;
  /** To be pasted there. */
  readonly snippet: string;
  /** Puts it there, and keeps what else the file holds. */
  write(): Promise<Outcome<ForeignEdit>>;
}

export interface ConfigWish {
  readonly connection: Connection;
  readonly place: ClientPlace;
  /** The file of the project instead of the user's. */
  readonly isProject: boolean;
}

const SERVER_NAME = 'skillplane';

export async function configureClient(
  client: ClientName,
  { connection, place, isProject }: ConfigWish,
): Promise<ClientConfig> {
  const row = CLIENT_TABLE[client];
  const file = isProject ? row.projectFile(place) : row.userFile(place);
  const edit: EntryEdit = { section: row.section, name: SERVER_NAME, entry: row.entry(connection) };
  if (row.format === 'toml') {
    const { editToml, renderToml } = await import('./edit-toml.ts');
    return {
      file,
      snippet: renderToml(edit),
      write: () => editForeignFile(file, async (text) => editToml(text, edit)),
    };
  }
  const snippet = `${JSON.stringify({ [edit.section]: { [edit.name]: edit.entry } }, undefined, 2)}\n`;
  const { editJson } = await import('./edit-json.ts');
  return { file, snippet, write: () => editForeignFile(file, async (text) => editJson(text, edit)) };
}
