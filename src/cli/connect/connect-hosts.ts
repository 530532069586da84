import {
  type ConnectOutcome,
  type ConnectPlace,
  connectHost,
  disconnectHost,
  planConnection,
} from '../../hosts/connecting/connect-host.ts';
import { requestConnection } from '../../hosts/connecting/connection-request.ts';
import type { KnownHost } from '../../hosts/host.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import { readEnvironment } from '../../platform/environment.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { readKnownHost } from '../input/host-argument.ts';
import { isConsented } from '../managing.ts';
import { openEngine } from '../open-engine.ts';
import { CONSENT, reportFailure } from '../output/failure.ts';
import { printDiff } from '../output/print-diff.ts';

/** `skillplane agents connect <agent...>` and `disconnect` */
export async function run(invocation: Invocation): Promise<ExitCode> {
  const { command, args, options, isJson, out, cwd, env } = invocation;
  const isConnecting = command.name === 'agents connect';
  if (isConnecting && options.has('print')) return (await import('./mcp-config.ts')).printConfig(invocation, args);
  const hosts = args.map(readKnownHost);
  const place = readEnvironment({ cwd, env });
  const done: { readonly host: KnownHost; readonly outcome: ConnectOutcome }[] = [];
  for (const host of hosts) {
    const outcome = await (isConnecting ? connect(host, place, invocation) : disconnectHost(host, place));
    if (!outcome.ok) return reportFailure(invocation, outcome);
    done.push({ host, outcome });
    if (!isJson) print(host, outcome, invocation);
  }
  if (isJson)
    out.json({
      ok: true,
      hosts: done.map(({ host: { id, hook }, outcome: { files } }) => {
        return { id, files, next: isConnecting ? hook.afterwards : undefined };
      }),
    });
  if (isConnecting && !options.has('noHook')) await warmUp(invocation);
  return 0;
}

async function connect(host: KnownHost, place: ConnectPlace, invocation: Invocation): Promise<Outcome<ConnectOutcome>> {
  const { options, isJson, out } = invocation;
  const wanted = {
    server: !options.has('noServer'),
    hook: !options.has('noHook'),
    startsProcess: options.has('process'),
    recordsUse: options.has('recordUse'),
  };
  const request = requestConnection(host, wanted, place);
  const plan = planConnection(host, place, request);
  if (!plan.ok) return plan;
  if (plan.files.length === 0 || options.has('yes')) return connectHost(host, place, request);
  if (!isJson) {
    out.line({ text: host.title, style: 'bold' }, ': these changes, with a backup of each file');
    for (const { diff } of plan.files) printDiff(diff, out);
  }
  if (!(await isConsented(invocation, `Connect ${host.title}?`)))
    return fail('NOT_ALLOWED', `${host.title} was not connected`, CONSENT);
  return connectHost(host, place, request);
}

function print({ title, hook }: KnownHost, { files }: ConnectOutcome, { command, options, out }: Invocation): void {
  const changed = files.filter(({ isChanged }) => isChanged);
  const isConnecting = command.name === 'agents connect';
  if (changed.length === 0) out.line(`${title} is ${isConnecting ? 'already' : 'not'} connected.`);
  else out.line({ text: title, style: 'bold' }, isConnecting ? ': connected' : ': disconnected');
  for (const { path, backup } of changed) out.line(`  ${path}${backup === undefined ? '' : ` (as it was: ${backup})`}`);
  if (isConnecting && changed.length > 0 && !options.has('noHook'))
    out.line('  ', { text: `→ ${hook.afterwards}`, style: 'cyan' });
}

/** Reads all skills once, so that the first answer of the hook is not late. */
async function warmUp(invocation: Invocation): Promise<void> {
  await using engine = await openEngine(invocation);
  await engine.hint({ message: 'read every skill once', host: 'claude-code' });
}
