import { chooseAgents } from '../../engine/agent-wishes.ts';
import { AGENTS } from '../../model/agents.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { give } from '../giving.ts';
import { parseAgents } from '../input/choose-agents.ts';
import { joinNames } from '../output/agent-facts.ts';
import { reportFailure } from '../output/failure.ts';

/** `skillplane agents set <agents>`: changes the default, and carries it out. */
export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, cwd, env, isJson, out } = invocation;
  const agents = args[0] === 'found' && args.length === 1 ? 'found' : parseAgents(args);
  const saved = await chooseAgents(agents, { cwd, env });
  if (!saved.ok) return reportFailure(invocation, saved);
  const done = await give(invocation, 'all');
  if (!done.ok) return reportFailure(invocation, done);
  const { changes, problems } = done.given;
  if (isJson) {
    out.json({ ok: true, agents, file: saved.path, changes, problems });
    return 0;
  }
  const titles = agents === 'found' ? ['All agents on this machine'] : agents.map((id) => AGENTS[id].title);
  out.line(
    `${titles.length === 0 ? 'No agent' : joinNames(titles)} ${titles.length > 1 ? 'get' : 'gets'} your skills.`,
  );
  return 0;
}
