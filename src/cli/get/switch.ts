import { turnSkills, type TurnedSkill } from '../../engine/turn-skills.ts';
import { AGENTS, type AgentId } from '../../model/agents.ts';
import { quoteWord } from '../../model/shell-word.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { givingOptions } from '../giving.ts';
import { readAgentOption } from '../input/choose-agents.ts';
import { WrongUsage } from '../input/options.ts';
import { isForProject, reportNames } from '../managing.ts';
import { describeFacts, describeLoss, joinNames } from '../output/agent-facts.ts';
import { printedSkill } from '../output/printed-skill.ts';
import { describeState } from '../output/skill-list.ts';

/** `enable` and `disable` */
export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, command, options } = invocation;
  const isOn = command.name === 'enable';
  const agents = readAgentOption(invocation);
  if (agents?.length === 0) throw new WrongUsage('--agent needs an agent here', 'Leave it out for all agents.');
  const from = isOn ? options.text('from') : undefined;
  if (agents !== undefined && from !== undefined) throw new WrongUsage('--agent and --from exclude each other');
  const request = { ...givingOptions(invocation), project: isForProject(options), from, agents };
  const turned = await turnSkills([...new Set(args)], isOn, request);
  return reportNames(
    invocation,
    turned.map(({ name, outcome }) => ({
      name,
      outcome: outcome.ok ? { ok: true, ...describe(outcome, { isOn, agents }, invocation) } : outcome,
    })),
  );
}

interface Turn {
  readonly isOn: boolean;
  readonly agents: readonly AgentId[] | undefined;
}

function describe(
  turned: TurnedSkill,
  { isOn, agents }: Turn,
  invocation: Invocation,
): { readonly result: object; readonly lines: readonly string[] } {
  const { skill, others, changed, before, after } = turned;
  const { name } = skill;
  const state = isOn ? 'enabled' : 'disabled';
  const forThem = agents === undefined ? '' : ` for ${joinNames(agents.map((id) => AGENTS[id].title))}`;
  const first =
    changed.length === 0
      ? `${name} is already ${state}${forThem}.`
      : `${isOn ? 'Enabled' : 'Disabled'} ${name}${forThem}.`;
  if (skill.status === 'broken') invocation.out.note(`${name} is broken: ${describeState(skill, invocation.sayNext)}`);
  const meant = (facts: TurnedSkill['after']): TurnedSkill['after'] => ({
    ...facts,
    agents: facts.agents.filter(({ agent }) => agents?.includes(agent) ?? true),
  });
  const facts = isOn
    ? [...describeTrouble(skill), ...describeFacts([after], invocation)]
    : [describeLoss(meant(before), meant(after), invocation)];
  const copies = isOn || agents !== undefined ? [] : describeOthers(turned);
  return {
    result: { ...turned, skill: printedSkill(skill), others: others.map(printedSkill) },
    lines: [[first, ...facts].filter((text) => text !== '').join(' '), ...copies],
  };
}

function describeTrouble({ unavailableReason }: TurnedSkill['skill']): readonly string[] {
  return unavailableReason === undefined ? [] : [`It cannot be used yet: ${unavailableReason}.`];
}

/** Says how to use another copy instead. */
function describeOthers({ skill: { name }, others }: TurnedSkill): readonly string[] {
  const [first] = others;
  if (first === undefined) return [];
  const there = others.map(({ source, dir }) => `${dir} (${source})`).join(', ');
  const copies = others.length === 1 ? 'Another copy is' : 'Other copies are';
  const remedy = `\`skillplane enable ${quoteWord(name)} --from ${first.source}\` uses ${others.length === 1 ? 'it' : 'the first'}.`;
  return [`${copies} in ${there}; ${remedy}`];
}
