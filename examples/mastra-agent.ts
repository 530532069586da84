/** An agent of Mastra with skills. The agent is made by `forAgent(skills, { message: request })`. */
import { Agent, type AgentConfig } from '@mastra/core/agent';
import { toMastraTool, type AgentStart } from 'skillplane/agent';

export async function answer(
  { system, tools }: Pick<AgentStart, 'system' | 'tools'>,
  request: string,
  model: AgentConfig['model'],
): Promise<string> {
  const agent = new Agent({
    id: 'clerk',
    name: 'Clerk',
    model,
    instructions: system,
    tools: Object.fromEntries(tools.map((tool) => [tool.name, toMastraTool(tool)])),
  });
  const { text } = await agent.generate(request, { maxSteps: 20 });
  return text;
}
