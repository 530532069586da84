import {
  type ConnectOutcome,
  type ConnectPlace,
  type ConnectRequest,
  connectHost,
  disconnectHost,
  type Host,
  HOST_IDS,
  HOSTS,
  ownCommand,
} from '../../hosts.ts';
import { findCommand, readEnvironment } from '../../index.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { WrongUsage } from '../input/options.ts';
import { openEngine } from '../open-engine.ts';
import { reportFailure } from '../output/failure.ts';

/** `skillplane hosts connect <host>...` and `disconnect` */
export async function run(invocation: Invocation): Promise<ExitCode> {
  const [action, ...ids] = invocation.args;
  const isConnecting = action === 'connect';
  const { isJson, out, cwd, env } = invocation;
  const hosts = readHosts(ids, action ?? '');
  const place = readEnvironment({ cwd, env });
  const done: { readonly host: Host; readonly outcome: ConnectOutcome }[] = [];
  for (const host of hosts) {
    const outcome = await (isConnecting ? connect(host, place, invocation) : disconnectHost(host, place));
    if (!outcome.ok) return reportFailure(invocation, outcome);
    done.push({ host, outcome });
    if (!isJson) print(host, outcome, invocation);
  }
  if (isJson) out.json({ ok: true, hosts: done.map(({ host, outcome }) => toJson(host, outcome, isConnecting)) });
  if (isConnecting && !invocation.options.has('noHook')) await warmUp(invocation);
  return 0;
}

function connect(host: Host, place: ConnectPlace, { options }: Invocation): Promise<Outcome<ConnectOutcome>> {
  const [command = '', ...args] = ownCommand(findCommand('skillplane', place) !== undefined);
  const request: ConnectRequest = {
    server: options.has('noServer') ? undefined : { kind: 'stdio', command, args: [...args, 'mcp', '--host', host.id] },
    hook: options.has('noHook') ? undefined : [command, ...args, 'hook', host.id],
    startsProcess: options.has('process'),
    recordsUse: options.has('recordUse'),
  };
  return connectHost(host, place, request);
}

function readHosts(ids: readonly string[], action: string): readonly Host[] {
  const known = `Known are ${HOST_IDS.join(', ')}.`;
  if (action !== 'connect' && action !== 'disconnect')
    throw new WrongUsage(`"${action}" is no action of hosts`, 'It takes connect or disconnect, and hosts.');
  if (ids.length === 0) throw new WrongUsage(`hosts ${action} needs a host`, known);
  return ids.map((id) => {
    const host = HOST_IDS.find((each) => each === id);
    if (host === undefined) throw new WrongUsage(`"${id}" is no host that can be connected`, known);
    return HOSTS[host];
  });
}

function print(
  { title, hook }: Host,
  { files }: ConnectOutcome,
  { args: [action], options, out, renderHint }: Invocation,
): void {
  const changed = files.filter(({ isChanged }) => isChanged);
  const isConnecting = action === 'connect';
  if (changed.length === 0) out.line(`${title}: nothing to change, it is ${isConnecting ? '' : 'not '}connected`);
  else out.line({ text: title, style: 'bold' }, isConnecting ? ': connected' : ': disconnected');
  for (const { path, backup } of changed) out.line(`  ${path}${backup === undefined ? '' : ` (as it was: ${backup})`}`);
  if (isConnecting && changed.length > 0 && !options.has('noHook'))
    out.line('  ', { text: `→ ${renderHint(hook.afterwards)}`, style: 'cyan' });
}

function toJson({ id, hook }: Host, { files }: ConnectOutcome, isConnecting: boolean): object {
  const edits = files.map(({ path, isChanged, backup }) => ({ path, isChanged, backup: backup ?? null }));
  return { id, files: edits, ...(isConnecting ? { next: hook.afterwards } : {}) };
}

/** Reads all skills once, so that the first answer of the hook is not late. */
async function warmUp(invocation: Invocation): Promise<void> {
  await using engine = await openEngine(invocation);
  await engine.hint({ message: 'read every skill once', host: 'claude-code' });
}
