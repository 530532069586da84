import { resolve } from 'node:path';

import { type ClientConfig, configureClient, type Connection } from '../../hosts/clients/client-config.ts';
import { CLIENT_NAMES, type ClientName } from '../../model/agents.ts';
import { toFlag } from '../../model/next-step.ts';
import type { Outcome } from '../../model/outcome.ts';
import { findCommand, readEnvironment } from '../../platform/environment.ts';
import { ownCommand } from '../../platform/package-file.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { WrongUsage } from '../input/options.ts';
import { reportFailure } from '../output/failure.ts';

/** `skillplane mcp --print-config <client>`: the old spelling, which can also write. */
export async function run(invocation: Invocation): Promise<ExitCode> {
  const { options, out } = invocation;
  const client = options.oneOf('printConfig', CLIENT_NAMES);
  if (client === undefined) throw new Error('--print-config was not given');
  const config = configure(client, invocation, describeConnection(invocation));
  if (!config.ok) return reportFailure(invocation, config);
  if (options.has('http') && NEEDING_TOKEN.some((name) => options.has(name)))
    out.note('The client must also send the token of the server, as the header `Authorization: Bearer <token>`.');
  return options.has('write') ? write(config, invocation) : print(client, config, invocation);
}

/** `skillplane agents connect <agent> --print` */
export async function printConfig(invocation: Invocation, names: readonly string[]): Promise<ExitCode> {
  const [name, extra] = names;
  const client = CLIENT_NAMES.find((each) => each === name);
  if (client === undefined || extra !== undefined)
    throw new WrongUsage(`--print takes one of ${CLIENT_NAMES.join(', ')}`);
  const { command, args } = findOwnCommand(invocation);
  const config = configure(client, invocation, { kind: 'stdio', command, args: [...args, 'mcp'] });
  return config.ok ? print(client, config, invocation) : reportFailure(invocation, config);
}

function configure(
  client: ClientName,
  { options, cwd, env }: Invocation,
  connection: Connection,
): Outcome<ClientConfig> {
  const { home } = readEnvironment({ cwd, env });
  const place = { home, cwd, platform: process.platform, env };
  return configureClient(client, { connection, place, isProject: options.has('project') });
}

function print(client: ClientName, { file, snippet }: ClientConfig, { isJson, out }: Invocation): ExitCode {
  if (isJson) out.json({ ok: true, client, file, snippet });
  else {
    out.note({ text: `for ${file}:`, style: 'dim' });
    for (const line of snippet.trimEnd().split('\n')) out.line(line);
  }
  return 0;
}

async function write(config: ClientConfig, invocation: Invocation): Promise<ExitCode> {
  const { isJson, out } = invocation;
  const written = await config.write();
  if (!written.ok) return reportFailure(invocation, written);
  const { path, isChanged, backup } = written;
  if (isJson) out.json({ ok: true, path, isChanged, backup: backup ?? null });
  else if (!isChanged) out.line(`${path} already has these settings`);
  else out.line(`written to ${path}${backup === undefined ? '' : ` (backup: ${backup})`}`);
  return 0;
}

/** Servers over HTTP with one of these options answer only clients that send a token. */
const NEEDING_TOKEN = ['allowScripts', 'allowWrite', 'allowToolsets', 'tokenFile', 'host'];
const PASSED_ON = ['allowScripts', 'allowWrite', 'allowToolsets', 'contextFiles', 'structured', 'ctx'] as const;

function describeConnection(invocation: Invocation): Connection {
  const { options, cwd } = invocation;
  if (options.has('http')) {
    const host = options.text('host') ?? '127.0.0.1';
    return { kind: 'http', url: `http://${host}:${options.text('port') ?? 7411}/mcp` };
  }
  const passedOn = PASSED_ON.filter((name) => options.has(name)).map(toFlag);
  const workspace = options.text('workspace');
  const place = workspace === undefined ? [] : ['--workspace', resolve(cwd, workspace)];
  const { command, args } = findOwnCommand(invocation);
  return { kind: 'stdio', command, args: [...args, 'mcp', ...passedOn, ...place] };
}

/** `skillplane` if it is on the PATH, or else the absolute path of the running program. */
function findOwnCommand({ cwd, env }: Invocation): { readonly command: string; readonly args: readonly string[] } {
  const [command = '', ...args] = ownCommand(findCommand('skillplane', readEnvironment({ cwd, env })) !== undefined);
  return { command, args };
}
