import { editForeignFile, type ForeignEdit } from '../../config/edit-foreign-file.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { projectDirectories } from '../../platform/project.ts';
import type { ObjectEdit } from '../editing/foreign-entry.ts';
import { CLIENT_TABLE, ENTRY_KEYS, type ClientName, type ClientPlace, type Connection } from './client-table.ts';

/** The configuration that connects a client to this server. */
export interface ClientConfig {
  /** The client's configuration file. */
  readonly file: string;
  /** The text to paste into the file. */
  readonly snippet: string;
  /** Writes the entry into the file and keeps the rest of it. */
  write(): Promise<Outcome<ForeignEdit>>;
}

export interface ConfigRequest {
  readonly connection: Connection;
  readonly place: ClientPlace;
  /** True for the project's file instead of the user's. */
  readonly isProject: boolean;
}

/** Under this name clients know our server. */
export const SERVER_NAME = 'skillplane';

export async function configureClient(
  client: ClientName,
  { connection, place, isProject }: ConfigRequest,
): Promise<Outcome<ClientConfig>> {
  const row = CLIENT_TABLE[client];
  const file = isProject ? row.projectFile?.(place) : row.userFile(place);
  if (file === undefined) return fail('CONFIG_INVALID', `${client} has no settings for a project`, FOR_USER);
  const options = { project: isProject ? projectDirectories(place.cwd).at(-1) : undefined };
  const edit: ObjectEdit = {
    section: row.section,
    name: SERVER_NAME,
    entry: row.entry(connection),
    ownKeys: ENTRY_KEYS,
  };
  if (row.format === 'toml') {
    const { setTomlTable, renderTomlTable } = await import('../editing/toml-tables.ts');
    return {
      ok: true,
      file,
      snippet: renderTomlTable(edit),
      write: () => editForeignFile(file, async (text) => setTomlTable(text, edit), options),
    };
  }
  const snippet = `${JSON.stringify({ [edit.section]: { [edit.name]: edit.entry } }, undefined, 2)}\n`;
  const { setJsonObject } = await import('../editing/json-object.ts');
  return {
    ok: true,
    file,
    snippet,
    write: () => editForeignFile(file, async (text) => setJsonObject(text, edit), options),
  };
}

const FOR_USER = 'Leave out `project`: the settings of its user count in every project.';
