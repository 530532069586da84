import { disable, enable, readSetting, switchForHosts, type SwitchedSkill } from '../../install.ts';
import { quoteWord } from '../../model/shell-word.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { WrongUsage } from '../input/options.ts';
import { forEachName, isForProject } from '../managing.ts';

/** `enable` and `disable`. */
export async function run(invocation: Invocation): Promise<ExitCode> {
  const { command, cwd, env, options, out, renderHint } = invocation;
  const isOn = command.name === 'enable';
  const state = `${command.name}d`;
  const project = isForProject(options);
  const hosts = options.all('host');
  if (hosts.length > 0) return switchHosts(invocation, hosts, isOn);
  return forEachName(invocation, async (name) => {
    const switched = isOn
      ? await enable(name, { cwd, env, project, from: options.text('from') })
      : await disable(name, { cwd, env, project });
    if (!switched.ok) return switched;
    const { skill, others, file, changed } = switched;
    if (isOn && skill.unavailableReason !== undefined) out.note(`It cannot be used yet: ${skill.unavailableReason}`);
    const line =
      changed.length === 0
        ? `${skill.name} was ${state} already.`
        : `${skill.name} is ${state}: changed ${changed.join(', ')} in ${file}`;
    const result = { name: skill.name, status: skill.status, source: skill.source, changed, file };
    const sources = others.map(({ source }) => source);
    return isOn
      ? { ok: true, result, lines: [line] }
      : {
          ok: true,
          result: { ...result, others: sources },
          lines: [line, ...describeOthers(switched).map(renderHint)],
        };
  });
}

/** `--host`: the skill stays as it is for everyone else. */
async function switchHosts(invocation: Invocation, hosts: readonly string[], isOn: boolean): Promise<ExitCode> {
  const { cwd, env, options, renderHint } = invocation;
  const word = isOn ? 'for' : 'not for';
  if (isOn && options.has('from')) throw new WrongUsage('--host and --from exclude each other');
  const auto = await readSetting('autoSync', { cwd, env });
  const isSynced = auto.ok && auto.setting.value === true;
  return forEachName(invocation, async (name) => {
    const switched = await switchForHosts(name, isOn, { cwd, env, hosts, project: isForProject(options) });
    if (!switched.ok) return switched;
    const { skill, file, changed } = switched;
    const who = hosts.join(', ');
    const line =
      changed.length === 0
        ? `${skill.name} was ${word} ${who} already.`
        : `${skill.name} is ${word} ${who}: changed ${changed.join(', ')} in ${file}`;
    const next = isSynced ? [] : [renderHint(`\`sync ${hosts.join(' ')}\` carries it out.`)];
    return { ok: true, result: { name: skill.name, hosts, isOn, changed, file }, lines: [line, ...next] };
  });
}

/** Says how to use another copy instead. */
function describeOthers({ skill: { name }, others }: SwitchedSkill): readonly string[] {
  const [first] = others;
  if (first === undefined) return [];
  const there = others.map(({ source, dir }) => `${dir} (${source})`).join(', ');
  const copies = others.length === 1 ? 'Another copy is' : 'Other copies are';
  const remedy = `\`enable ${quoteWord(name)} --from ${first.source}\` uses ${others.length === 1 ? 'it' : 'the first'}.`;
  return [`${copies} in ${there}; ${remedy}`];
}
