import { findCommand, readEnvironment } from '../../index.ts';
import { type ClientConfig, configureClient, serverProgram } from '../../mcp/clients/client-config.ts';
import { CLIENT_NAMES, type Connection } from '../../mcp/clients/client-table.ts';
import { reportFailure, reportUsage, type ExitCode, type Invocation } from '../command.ts';

/** `skillplane mcp --print-config <client>` */
export async function run(invocation: Invocation): Promise<ExitCode> {
  const { flags, values, cwd, isJson, out } = invocation;
  const wanted = values.get('printConfig')?.at(-1) ?? '';
  const client = CLIENT_NAMES.find((name) => name === wanted);
  if (client === undefined)
    return reportUsage(invocation, `--print-config takes ${CLIENT_NAMES.join(', ')}, not "${wanted}"`);
  const environment = readEnvironment({ cwd });
  const { home, variables: env } = environment;
  const config = await configureClient(client, {
    connection: describeConnection(invocation, findCommand('skillplane', environment) !== undefined),
    place: { home, cwd, platform: process.platform, env },
    isProject: flags.has('project'),
  });
  if (flags.has('write')) return write(config, invocation);
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
  else if (!isChanged) out.line(`${path} has it already`);
  else out.line(`written to ${path}${backup === undefined ? '' : ` (as it was: ${backup})`}`);
  return 0;
}

const PASSED_ON = ['allowScripts', 'allowWrite', 'allowToolsets'] as const;

/** By its name where that is on the PATH; else by the files that run now, which clients find in any case. */
function describeConnection({ flags, values }: Invocation, isOnPath: boolean): Connection {
  if (flags.has('http')) {
    const host = values.get('host')?.at(-1) ?? '127.0.0.1';
    return { kind: 'http', url: `http://${host}:${values.get('port')?.at(-1) ?? 7411}/mcp` };
  }
  const options = PASSED_ON.filter((flag) => flags.has(flag)).map(
    (flag) => `--${flag.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  );
  const [command, ...first] = isOnPath ? ['skillplane'] : [process.execPath, serverProgram()];
  return { kind: 'stdio', command: command ?? '', args: [...first, 'mcp', ...options] };
}
