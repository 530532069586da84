/**
 * An agent on the Anthropic Messages API, without an SDK: ask the model, run the tools it calls, send back their results,
 * and repeat until it answers. The agent is made by
 * `forAgent(skills, { message: request })`.
 */
import { callTool, toAnthropicTool, type AgentStart } from 'skillplane/agent';

export type Agent = Pick<AgentStart, 'system' | 'tools'>;

export interface AnthropicOptions {
  readonly apiKey: string;
  readonly model: string;
  readonly url?: string;
  /** By default the global one. */
  readonly fetch?: typeof globalThis.fetch;
  readonly maxSteps?: number;
}

/** Answers a request with the help of skills. Throws if the API refuses, or after too many steps. */
export async function answer({ system, tools }: Agent, request: string, options: AnthropicOptions): Promise<string> {
  const { model, maxSteps = 20 } = options;
  const messages: Message[] = [{ role: 'user', content: request }];
  for (let step = 0; step < maxSteps; step += 1) {
    const { content } = await post(options, {
      model,
      max_tokens: 8_192,
      ...(system === '' ? {} : { system }),
      tools: tools.map(toAnthropicTool),
      messages,
    });
    messages.push({ role: 'assistant', content });
    const calls = content.filter((block) => block.type === 'tool_use');
    if (calls.length === 0) return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    // All results of one step belong into one message.
    const results = await Promise.all(
      calls.map(async ({ id, name, input }): Promise<ToolResultBlock> => {
        const { text, isError } = await callTool(tools, { name, args: input });
        return { type: 'tool_result', tool_use_id: id, content: text, is_error: isError };
      }),
    );
    messages.push({ role: 'user', content: results });
  }
  throw new Error(`the model gave no answer in ${maxSteps} steps`);
}

type ModelBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: unknown };

interface ToolResultBlock {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content: string;
  readonly is_error: boolean;
}

type Message =
  | { readonly role: 'user'; readonly content: string | readonly ToolResultBlock[] }
  | { readonly role: 'assistant'; readonly content: readonly ModelBlock[] };

async function post(
  { apiKey, url = 'https://api.anthropic.com/v1/messages', fetch = globalThis.fetch }: AnthropicOptions,
  body: object,
): Promise<{ readonly content: readonly ModelBlock[] }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`the API answered ${response.status}: ${await response.text()}`);
  // The API documents this shape.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (await response.json()) as { readonly content: readonly ModelBlock[] };
}
