import { disable, enable } from '../../install.ts';
import { askYesOrNo, canAsk } from '../ask.ts';
import { reportFailure, reportUsage, type ExitCode, type Invocation } from '../command.ts';
import { openManaged, shortCommit, type Managing } from '../managing.ts';
import { listPlugins } from './manage-list.ts';
import { updatePlugins } from './manage-update.ts';
import { verifyPlugins } from './manage-verify.ts';

/** What `manage` can do, and what it says of it when it is called alone. */
const ACTIONS: Readonly<Record<string, { readonly help: string; run(invocation: Managing): Promise<ExitCode> }>> = {
  list: { help: 'what is installed, from where and which version', run: listPlugins },
  enable: { help: 'switch a skill of any source on', run: (managing) => switchOne(managing, true) },
  disable: { help: 'switch a skill of any source off', run: (managing) => switchOne(managing, false) },
  update: { help: 'take newer versions: of one plugin, or of all', run: (managing) => updatePlugins(managing, true) },
  outdated: { help: 'which plugins have newer versions', run: (managing) => updatePlugins(managing, false) },
  verify: { help: 'compare what is on the disk with the lock', run: verifyPlugins },
  rollback: { help: 'return a plugin to the version before', run: rollback },
  remove: { help: 'remove a plugin and all that is kept of it', run: remove },
};

const NEEDS_NAME = new Set(['enable', 'disable', 'rollback', 'remove']);

export async function run(invocation: Invocation): Promise<ExitCode> {
  const [action, name] = invocation.args;
  if (action === undefined) return explain(invocation);
  const found = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (found === undefined)
    return reportUsage(invocation, `manage has no "${action}"; there are ${Object.keys(ACTIONS).join(', ')}`);
  if (name === undefined && NEEDS_NAME.has(action)) return reportUsage(invocation, `manage ${action}: which skill?`);
  return found.run({ ...invocation, name });
}

function explain({ out, isJson }: Invocation): ExitCode {
  const actions = Object.entries(ACTIONS).map(([action, { help }]) => ({ action, help }));
  if (isJson) out.json({ ok: true, actions });
  else {
    out.line('skillplane manage <action> [name]');
    for (const { action, help } of actions) {
      const words = NEEDS_NAME.has(action) ? `${action} <name>` : action;
      out.line('  ', { text: words.padEnd(16), style: 'bold' }, help);
    }
  }
  return 0;
}

async function switchOne(managing: Managing, isOn: boolean): Promise<ExitCode> {
  const { name = '', cwd, isJson, out } = managing;
  const switched = await (isOn ? enable : disable)(name, { cwd });
  if (!switched.ok) return reportFailure(managing, switched);
  const { skill, file, changed } = switched;
  if (isJson) out.json({ ok: true, name: skill.name, status: skill.status, changed, file });
  else if (changed.length === 0) out.line(`${skill.name} was ${skill.status} already.`);
  else out.line(`${skill.name} is ${isOn ? 'enabled' : 'disabled'}: changed ${changed.join(', ')} in ${file}`);
  if (isOn && skill.unavailableReason !== undefined) out.note(`It cannot be used yet: ${skill.unavailableReason}`);
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
  const { name = '', flags, isJson, out } = managing;
  const installer = openManaged(managing);
  const found = await installer.find(name);
  if (!found.ok) return reportFailure(managing, found);
  const isWanted = flags.has('yes') || (canAsk() && !isJson && (await askYesOrNo(`Remove ${found.plugin.dir}?`)));
  if (!isWanted) {
    const message = `"${name}" was not removed; say yes when asked, or --yes where nobody can be asked`;
    return reportFailure(managing, { ok: false, code: 'INSTALL_FAILED', message });
  }
  const removed = await installer.remove(name);
  if (!removed.ok) return reportFailure(managing, removed);
  if (isJson) out.json({ ok: true, name, dir: removed.dir });
  else out.line(`${name} is gone: its folder ${removed.dir}, its entries in the lock and in the configuration.`);
  return 0;
}
