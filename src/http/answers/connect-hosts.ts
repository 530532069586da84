import {
  connectHost,
  disconnectHost,
  HOST_IDS,
  HOSTS,
  ownCommand,
  planConnection,
  readConnection,
  type ConnectRequest,
  type Host,
} from '../../hosts.ts';
import { findCommand, type Skills } from '../../index.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import type { ChangeAnswer, ReadAnswer } from '../console-context.ts';

/** Says what would be written into the files of a host, and writes nothing. */
export const previewConnection: ReadAnswer<'hosts/connect'> = async ({ skills }, { host: id, ...given }) => {
  const found = findHost(id);
  if (!found.ok) return found;
  const { host } = found;
  const { server, hook, recordsUse } = given;
  const wanted = { server: server !== undefined, hook: hook !== undefined, recordsUse: recordsUse !== undefined };
  const planned = planConnection(host, skills.environment, requestFor(host, wanted, skills));
  return planned.ok ? { ok: true, files: planned.files, next: wanted.hook ? host.hook.afterwards : null } : planned;
};

export const connect: ChangeAnswer<'hosts/connect'> = async ({ skills, announce }, { host: id, ...wanted }) => {
  const found = findHost(id);
  if (!found.ok) return found;
  const { host } = found;
  const { environment } = skills;
  const request = requestFor(host, wanted, skills);
  const planned = planConnection(host, environment, request);
  if (!planned.ok) return planned;
  const done = await (request === undefined
    ? disconnectHost(host, environment)
    : connectHost(host, environment, request));
  if (!done.ok) return done;
  await announce();
  return { ok: true, files: planned.files, next: wanted.hook ? host.hook.afterwards : null };
};

function findHost(id: string): Outcome<{ readonly host: Host }> {
  const known = HOST_IDS.find((one) => one === id);
  if (known !== undefined) return { ok: true, host: HOSTS[known] };
  return fail('CONFIG_INVALID', `there is no host "${id}"`, `Known are ${HOST_IDS.join(', ')}.`);
}

interface Wanted {
  readonly server: boolean;
  readonly hook: boolean;
  readonly recordsUse: boolean;
}

/** Undefined if the host is to be left without us. */
function requestFor(
  host: Host,
  { server, hook, recordsUse }: Wanted,
  { environment }: Skills,
): ConnectRequest | undefined {
  if (!server && !hook) return undefined;
  const { id } = host;
  const now = readConnection(host, environment);
  const [command = '', ...args] = ownCommand(findCommand('skillplane', environment) !== undefined);
  return {
    server: server ? { kind: 'stdio', command, args: [...args, 'mcp', '--host', id] } : undefined,
    hook: hook ? [command, ...args, 'hook', id] : undefined,
    // A person who had it start a process despite the server wants that still.
    startsProcess: now.hasServer && now.hook === 'process',
    recordsUse,
  };
}
