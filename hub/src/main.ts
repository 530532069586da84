import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { VERSION } from 'skillplane';

import { isConnectionLoss, type Database } from './database/database.ts';
import { migrate } from './database/migrate.ts';
import { openPglite } from './database/pglite.ts';
import { openPostgres } from './database/postgres.ts';
import { HELP } from './help.ts';
import { openHub } from './hub.ts';
import { readBackupFile, writeBackupFile } from './operate/backup-file.ts';
import { restoreBackup, writeBackup } from './operate/backup.ts';
import { claimDataFolder } from './operate/data-folder.ts';
import type { importSkills, Publisher } from './operate/import-skills.ts';
import { maskSecrets, openLogger, type Logger } from './operate/logger.ts';
import { publishRemotely, readRemoteBackup } from './operate/remote.ts';
import { publishVersion } from './publishing/publish-version.ts';
import { serveHub } from './serve.ts';
import { readSettings, type CommandName, type Settings } from './settings.ts';
import { findScope, saveScope } from './store/scopes.ts';

/** Variables and streams of the process; a test passes its own. */
export interface ProgramIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

const PROCESS: ProgramIo = {
  env: process.env,
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
};

/** Runs one command; returns the exit code. */
export async function main(args: readonly string[], io: ProgramIo = PROCESS): Promise<number> {
  const read = readSettings(args, io.env);
  if (!read.ok) return complain(io, read.message);
  const logger = openLogger(io.stderr, () => new Date());
  try {
    return await run(read.settings, { io, logger });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const where = isConnectionLoss(error) ? 'cannot reach the database: ' : '';
    io.stderr(`skillplane-hub: ${where}${maskSecrets(message)}\n`);
    return 1;
  }
}

interface Ports {
  readonly io: ProgramIo;
  readonly logger: Logger;
}

type Command = (settings: Settings, operand: string, ports: Ports) => Promise<number> | number;

/** Each command, and the operand it needs, as a message if that is missing. */
const RUNS: Readonly<Record<CommandName, { readonly run: Command; readonly needs?: string }>> = {
  help: { run: (_, __, { io }) => print(io, HELP) },
  version: { run: (_, __, { io }) => print(io, `${VERSION}\n`) },
  serve: { run: (settings, _, ports) => serve(settings, ports) },
  backup: { run: backup, needs: 'backup needs a file to write' },
  restore: { run: restore, needs: 'restore needs a file to read' },
  import: { run: importAll, needs: 'import needs an address or a folder' },
};

async function run(settings: Settings, ports: Ports): Promise<number> {
  const command = RUNS[settings.command];
  const [operand] = settings.operands;
  if (command.needs !== undefined && operand === undefined) return complain(ports.io, command.needs);
  return command.run(settings, operand ?? '', ports);
}

function print({ stdout }: ProgramIo, text: string): number {
  stdout(text);
  return 0;
}

function complain({ stderr }: ProgramIo, message: string): number {
  stderr(`skillplane-hub: ${message}\n`);
  return 2;
}

/** From a bundle or from the sources, the folder lies beside. */
function migrationsDir(): string {
  const beside = join(import.meta.dirname, '..', 'migrations');
  return existsSync(beside) ? beside : join(import.meta.dirname, 'migrations');
}

/** Beside the bundle, or where the build puts them; undefined if nothing was built. */
function pagesDir(): string | undefined {
  const places = [join(import.meta.dirname, 'pages'), join(import.meta.dirname, '..', 'dist', 'pages')];
  return places.find((dir) => existsSync(join(dir, 'index.html')));
}

async function openDatabase({ databaseUrl, dataDir }: Settings, logger: Logger): Promise<Database> {
  if (databaseUrl !== undefined) return openPostgres({ url: databaseUrl, onError: (error) => logger.error(error) });
  const claim = claimDataFolder(dataDir);
  const database = await openPglite(join(dataDir, 'database'));
  return {
    ...database,
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      claim[Symbol.dispose]();
    },
  };
}

async function serve(settings: Settings, { io, logger }: Ports): Promise<number> {
  const database = await openDatabase(settings, logger);
  await using hub = await openHub(database, {
    settings: { ...settings, migrations: migrationsDir(), pages: pagesDir() },
    onError: (error) => logger.error(error),
  });
  const listener = await serveHub(hub, settings);
  const address = `http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${listener.port}`;
  const where = settings.databaseUrl === undefined ? settings.dataDir : 'PostgreSQL';
  io.stdout(`The hub is at ${settings.publicUrl ?? address} (data: ${where}). Open it in a browser.\n`);
  if (hub.firstToken !== undefined)
    io.stdout(
      `\nThe first admin token, shown only now:\n\n  ${hub.firstToken}\n\nKeep it: skillplane login ${settings.publicUrl ?? address}\n`,
    );
  logger.info('listening', { address, skills: hub.followed.library.list().length });
  const signal = await new Promise<string>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => resolve(name));
  });
  logger.info('stopping', { signal });
  await listener.close(async () => undefined);
  return 0;
}

async function backup(settings: Settings, file: string, { io, logger }: Ports): Promise<number> {
  await writeBackupFile(file, async (write) => {
    if (settings.url !== undefined) return readRemoteBackup(settings.url, settings.token, write);
    await using database = await openDatabase(settings, logger);
    return await writeBackup(database, write);
  });
  return print(io, `Wrote ${file}\n`);
}

async function restore(settings: Settings, file: string, { io, logger }: Ports): Promise<number> {
  // Before a database is made for nothing.
  if (!existsSync(file)) throw new Error(`there is no file ${file}`);
  await using database = await openDatabase(settings, logger);
  await migrate(database, migrationsDir());
  return print(io, `Restored ${await restoreBackup(database, readBackupFile(file))} rows\n`);
}

async function importAll(settings: Settings, address: string, { io, logger }: Ports): Promise<number> {
  const { scope } = settings;
  if (scope === undefined) return complain(io, 'import needs --scope: the team that gets the skills');
  const { importSkills: importFrom } = await import('./operate/import-skills.ts');
  if (settings.url !== undefined)
    return report(io, await importFrom(address, { scope, publish: publishRemotely(settings.url, settings.token) }));
  await using database = await openDatabase(settings, logger);
  await migrate(database, migrationsDir());
  if ((await findScope(database, scope)) === undefined)
    await saveScope(database, { name: scope, policy: 'audited', failOn: 'critical' });
  const identity = { person: 'import', grants: [], token: undefined };
  const publish: Publisher = (request) => publishVersion(database, identity, request);
  return report(io, await importFrom(address, { scope, publish }));
}

function report({ stdout, stderr }: ProgramIo, imported: Awaited<ReturnType<typeof importSkills>>): number {
  if (!imported.ok) {
    stderr(`skillplane-hub: ${imported.message}\n`);
    return 1;
  }
  for (const { name, version, problem, unchanged } of imported.skills)
    stdout(
      problem === undefined ? `✓ ${name} ${version}${unchanged ? ' (unchanged)' : ''}\n` : `✗ ${name}: ${problem}\n`,
    );
  return imported.skills.some(({ problem }) => problem !== undefined) ? 1 : 0;
}
