/** An agent of LangChain with skills. The agent is made by `forAgent(skills, { message: request })`. */
import { DynamicStructuredTool } from '@langchain/core/tools';
import { createAgent, type CreateAgentParams } from 'langchain';
import { toLangChainTool, type AgentStart } from 'skillplane/agent';

export async function answer(
  { system, tools }: Pick<AgentStart, 'system' | 'tools'>,
  request: string,
  model: NonNullable<CreateAgentParams['model']>,
): Promise<string> {
  const agent = createAgent({
    model,
    systemPrompt: system,
    tools: tools.map((tool) => new DynamicStructuredTool(toLangChainTool(tool))),
  });
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: request }] }, { recursionLimit: 40 });
  return messages.at(-1)?.text ?? '';
}
