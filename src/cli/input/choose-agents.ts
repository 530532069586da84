import { chooseAgents, readAgentDefault } from '../../engine/agent-wishes.ts';
import { AGENTS, type AgentId } from '../../model/agents.ts';
import { readEnvironment } from '../../platform/environment.ts';
import type { Invocation } from '../command.ts';
import type { Questions } from './ask.ts';
import { readAgent } from './host-argument.ts';
import { WrongUsage } from './options.ts';

/** Parses agents such as `claude-code,codex`; `none` is an empty list. Anything else is wrong usage. */
export function parseAgents(texts: readonly string[]): readonly AgentId[] {
  const words = texts.flatMap((text) => text.split(',').map((word) => word.trim())).filter((word) => word !== '');
  if (words.includes('none') && words.length > 1) throw new WrongUsage('none goes with no other agent');
  if (words.length === 0) throw new WrongUsage('no agent is named', 'Name one, such as claude-code, or none.');
  return words.filter((word) => word !== 'none').map(readAgent);
}

/** The agents of `--agent`; undefined without the option. */
export function readAgentOption({ options }: Pick<Invocation, 'options'>): readonly AgentId[] | undefined {
  return options.has('agent') ? parseAgents(options.all('agent')) : undefined;
}

/**
 * Asks once which agents get skills, and keeps the answer. If it is known already, or if no agent is on this machine, nothing is
 * asked. False if the question was cancelled.
 */
export async function askForAgents({ cwd, env, out }: Invocation, questions: Questions): Promise<boolean> {
  const { isChosen, found } = readAgentDefault(readEnvironment({ cwd, env }));
  if (isChosen || found.length === 0) return true;
  const choices = found.map((id, value) => ({ value, label: AGENTS[id].title }));
  const picked = await questions.check('Which agents should get your skills?', choices);
  if (picked === undefined) return false;
  const agents = found.filter((_, at) => picked.includes(at));
  const saved = await chooseAgents(agents, { cwd, env });
  out.note(saved.ok ? 'Saved as your default. Change it with `skillplane agents set`.' : saved.message);
  return true;
}
