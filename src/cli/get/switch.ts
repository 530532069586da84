import { disable, enable } from '../../install.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { forEachName } from '../managing.ts';

/** `enable` and `disable`. */
export async function run(invocation: Invocation): Promise<ExitCode> {
  const { command, cwd, options, out } = invocation;
  const isOn = command.name === 'enable';
  const state = `${command.name}d`;
  return forEachName(invocation, async (name) => {
    const switched = await (isOn ? enable : disable)(name, { cwd, project: options.has('project') });
    if (!switched.ok) return switched;
    const { skill, file, changed } = switched;
    if (isOn && skill.unavailableReason !== undefined) out.note(`It cannot be used yet: ${skill.unavailableReason}`);
    const line =
      changed.length === 0
        ? `${skill.name} was ${state} already.`
        : `${skill.name} is ${state}: changed ${changed.join(', ')} in ${file}`;
    return { ok: true, result: { name: skill.name, status: skill.status, changed, file }, lines: [line] };
  });
}
