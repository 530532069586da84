import { pin, unpin } from '../../author.ts';
import { disable, enable } from '../../install.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { canAsk, openQuestions } from '../input/ask.ts';
import { WrongUsage } from '../input/options.ts';
import { openManaged, shortCommit, type Managing } from '../managing.ts';
import { CONSENT_HINT, reportFailure } from '../output/failure.ts';
import { updateAll } from './manage-copies.ts';
import { listPlugins } from './manage-list.ts';
import { verifyPlugins } from './manage-verify.ts';

type Action = (managing: Managing) => Promise<ExitCode>;

const ACTIONS: Readonly<Record<string, Action>> = {
  list: listPlugins,
  enable: (managing) => switchOne(managing, true),
  disable: (managing) => switchOne(managing, false),
  pin: (managing) => pinOne(managing, true),
  unpin: (managing) => pinOne(managing, false),
  update: (managing) => updateAll(managing, true),
  outdated: (managing) => updateAll(managing, false),
  verify: verifyPlugins,
  rollback,
  remove,
};

const NEEDS_NAME = new Set(['enable', 'disable', 'pin', 'unpin', 'rollback', 'remove']);

export async function run(invocation: Invocation): Promise<ExitCode> {
  const [action, name] = invocation.args;
  if (action === undefined) return explain(invocation);
  const found = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (found === undefined)
    throw new WrongUsage(`unknown action "${action}"`, `manage takes ${Object.keys(ACTIONS).join(', ')}.`);
  if (name === undefined && NEEDS_NAME.has(action))
    throw new WrongUsage(`manage ${action} needs the name of a skill`, `Usage: skillplane manage ${action} <name>`);
  return found({ ...invocation, name });
}

/** Lists the actions. */
function explain({ command, out, isJson }: Invocation): ExitCode {
  const actions = Object.entries(command.actions ?? {});
  if (isJson)
    out.json({ ok: true, actions: actions.map(([action, help]) => ({ action: action.split(' ')[0], help })) });
  else {
    out.line('skillplane manage <action> [name]');
    for (const [action, help] of actions) out.line('  ', { text: action.padEnd(15), style: 'bold' }, `  ${help}`);
  }
  return 0;
}

async function switchOne(managing: Managing, isOn: boolean): Promise<ExitCode> {
  const { name = '', cwd, isJson, out } = managing;
  const switched = await (isOn ? enable : disable)(name, { cwd });
  if (!switched.ok) return reportFailure(managing, switched);
  const { skill, file, changed } = switched;
  if (isJson) out.json({ ok: true, name: skill.name, status: skill.status, changed, file });
  else if (changed.length === 0) out.line(`${skill.name} was ${isOn ? 'enabled' : 'disabled'} already.`);
  else out.line(`${skill.name} is ${isOn ? 'enabled' : 'disabled'}: changed ${changed.join(', ')} in ${file}`);
  if (isOn && skill.unavailableReason !== undefined) out.note(`It cannot be used yet: ${skill.unavailableReason}`);
  return 0;
}

async function pinOne(managing: Managing, isPinned: boolean): Promise<ExitCode> {
  const { name = '', cwd, options, isJson, out } = managing;
  const done = await (isPinned ? pin : unpin)(name, { cwd, project: options.has('project') });
  if (!done.ok) return reportFailure(managing, done);
  const { skill, file, changed } = done;
  const state = isPinned ? 'pinned' : 'not pinned';
  if (isJson) out.json({ ok: true, name: skill.name, pinned: skill.pinned, changed, file });
  else out.line(changed ? `${skill.name} is ${state}: changed ${file}` : `${skill.name} was ${state} already.`);
  return 0;
}

async function rollback(managing: Managing): Promise<ExitCode> {
  const { name = '', isJson, out } = managing;
  const done = await openManaged(managing).rollback(name);
  if (!done.ok) return reportFailure(managing, done);
  const [before, after] = [done.before.commit, done.after.commit];
  if (isJson) out.json({ ok: true, name, before: done.before, after: done.after });
  else out.line(`${name} is back at ${shortCommit(after)}; it was at ${shortCommit(before)}.`);
  return 0;
}

async function remove(managing: Managing): Promise<ExitCode> {
  const { name = '', options, isJson, out } = managing;
  const installer = openManaged(managing);
  const found = await installer.find(name);
  if (!found.ok) return reportFailure(managing, found);
  const question = `Remove ${found.plugin.dir}?`;
  const isWanted = options.has('yes') || (canAsk() && !isJson && (await openQuestions(out).confirm(question)));
  if (!isWanted)
    return reportFailure(managing, {
      code: 'INSTALL_FAILED',
      message: `"${name}" was not removed`,
      hint: CONSENT_HINT,
    });
  const removed = await installer.remove(name);
  if (!removed.ok) return reportFailure(managing, removed);
  if (isJson) out.json({ ok: true, name, dir: removed.dir });
  else out.line(`Removed ${name}: ${removed.dir}, its lock entry and its settings.`);
  return 0;
}
