import { text } from 'node:stream/consumers';

import { changeSetting, readSetting } from '../../config/change-setting.ts';
import { readEnvironment } from '../../platform/environment.ts';
import { listHubs, logIn, logOut } from '../../publish/hub/log-in.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { canAsk, openQuestions } from '../input/ask.ts';
import { WrongUsage } from '../input/options.ts';
import { reportFailure } from '../output/failure.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, options, io, isJson, out, cwd, env } = invocation;
  const environment = readEnvironment({ cwd, env });
  const [address] = args;
  if (address === undefined) return listKnown(invocation);
  if (options.has('logout')) {
    const done = await logOut(address, environment);
    if (!done.ok) return reportFailure(invocation, done);
    if (isJson) out.json({ ok: true });
    else out.line(`Deleted the token of ${address}.`);
    return 0;
  }
  const token = canAsk(invocation)
    ? await openQuestions(invocation).secret('Token of the hub')
    : (await text(io.stdin)).trim();
  if (token === '') throw new WrongUsage('login needs a token: type it at the question, or pipe it in');
  const done = await logIn(address, token, environment);
  if (!done.ok) return reportFailure(invocation, done);
  const { login } = done;
  if (isJson) out.json({ ok: true, ...login });
  else {
    const roles = login.grants.map(({ role, scope }) => `${role} of ${scope === '*' ? 'every scope' : `@${scope}`}`);
    out.line(`Logged in to ${login.url} as ${login.person}: ${roles.join(', ')}.`);
  }
  if (canAsk(invocation) && !options.has('yes')) await askForUse(invocation);
  return 0;
}

/** Usage is reported to hubs only if the user agrees, here or in the configuration. */
async function askForUse(invocation: Invocation): Promise<void> {
  const { out, cwd, env } = invocation;
  const usage = await readSetting('usage', { cwd, env });
  const { value } = usage.ok ? usage.setting : { value: false };
  if (value === false || (typeof value === 'object' && value !== null && 'hub' in value)) return;
  out.note(
    'Skillplane can report to the hub how often you use its skills: counts by week, version and agent, never any text.',
  );
  if (!(await openQuestions(invocation).confirm('Send these counts?'))) return;
  const text = value === true ? '{ hub: true }' : '{ hosts: false, hub: true }';
  const set = await changeSetting({ kind: 'set', setting: 'usage', text }, { cwd, env });
  if (set.ok) out.note('Counts are sent a few times a day. Stop it with `skillplane config unset usage`.');
  else out.note(`Could not save that: ${set.message}`);
}

function listKnown(invocation: Invocation): ExitCode {
  const { isJson, out, cwd, env } = invocation;
  const known = listHubs(readEnvironment({ cwd, env }));
  if (!known.ok) return reportFailure(invocation, known);
  if (isJson) out.json(known);
  else if (known.hubs.length === 0) out.line('You are not logged in to a hub.');
  else for (const { url, person } of known.hubs) out.line(`${url}  ${person}`);
  return 0;
}
