import { text } from 'node:stream/consumers';

import { readEnvironment } from '../../index.ts';
import { listHubs, logIn, logOut } from '../../publish.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { canAsk, openQuestions } from '../input/ask.ts';
import { WrongUsage } from '../input/options.ts';
import { reportFailure } from '../output/failure.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, options, isJson, out, cwd } = invocation;
  const environment = readEnvironment({ cwd });
  const [address] = args;
  if (address === undefined) return listKnown(invocation);
  if (options.has('logout')) {
    const done = logOut(address, environment);
    if (!done.ok) return reportFailure(invocation, done);
    if (isJson) out.json({ ok: true });
    else out.line(`Forgot the token of ${address}.`);
    return 0;
  }
  const token = canAsk() ? await openQuestions(out).secret('Token of the hub') : (await text(process.stdin)).trim();
  if (token === '') throw new WrongUsage('login needs a token: type it at the question, or pipe it in');
  const done = await logIn(address, token, environment);
  if (!done.ok) return reportFailure(invocation, done);
  const { login } = done;
  if (isJson) out.json({ ok: true, ...login });
  else {
    const roles = login.grants.map(({ role, scope }) => `${role} of ${scope === '*' ? 'every scope' : `@${scope}`}`);
    out.line(`Logged in to ${login.url} as ${login.person}: ${roles.join(', ')}.`);
  }
  return 0;
}

function listKnown(invocation: Invocation): ExitCode {
  const { isJson, out, cwd } = invocation;
  const known = listHubs(readEnvironment({ cwd }));
  if (!known.ok) return reportFailure(invocation, known);
  if (isJson) out.json(known);
  else if (known.hubs.length === 0) out.line('You are logged in to no hub.');
  else for (const { url, person } of known.hubs) out.line(`${url}  ${person}`);
  return 0;
}
