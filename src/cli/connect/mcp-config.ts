import { CLIENT_NAMES, type ClientConfig, configureClient, type Connection, ownCommand } from '../../hosts.ts';
import { findCommand, readEnvironment } from '../../index.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { toFlag } from '../input/options.ts';
import { reportFailure } from '../output/failure.ts';

/** `skillplane mcp --print-config <client>` */
export async function run(invocation: Invocation): Promise<ExitCode> {
  const { options, cwd, env, isJson, out } = invocation;
  const client = options.oneOf('printConfig', CLIENT_NAMES);
  if (client === undefined) throw new Error('--print-config was not given');
  const environment = readEnvironment({ cwd, env });
  const { home } = environment;
  const config = await configureClient(client, {
    connection: describeConnection(invocation, findCommand('skillplane', environment) !== undefined),
    place: { home, cwd, platform: process.platform, env },
    isProject: options.has('project'),
  });
  if (!config.ok) return reportFailure(invocation, config);
  if (options.has('http') && NEEDING_TOKEN.some((name) => options.has(name)))
    out.note('The client must also send the token of the server, as the header `Authorization: Bearer <token>`.');
  if (options.has('write')) return write(config, invocation);
  const { file, snippet } = config;
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
  else if (!isChanged) out.line(`${path} has these settings already`);
  else out.line(`written to ${path}${backup === undefined ? '' : ` (as it was: ${backup})`}`);
  return 0;
}

/** Servers over HTTP with one of these options answer only clients that send a token. */
const NEEDING_TOKEN = ['allowScripts', 'allowWrite', 'allowToolsets', 'tokenFile', 'host'];
const PASSED_ON = ['allowScripts', 'allowWrite', 'allowToolsets', 'contextFiles'] as const;

/** Names `skillplane` if it is on the PATH, else the program that runs now, by its absolute path. */
function describeConnection({ options }: Invocation, isOnPath: boolean): Connection {
  if (options.has('http')) {
    const host = options.text('host') ?? '127.0.0.1';
    return { kind: 'http', url: `http://${host}:${options.text('port') ?? 7411}/mcp` };
  }
  const passedOn = PASSED_ON.filter((name) => options.has(name)).map(toFlag);
  const [command = '', ...first] = ownCommand(isOnPath);
  return { kind: 'stdio', command, args: [...first, 'mcp', ...passedOn] };
}
