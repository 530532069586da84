/**
 * An agent on the OpenAI API, without an SDK: ask the model, run the tools it calls, send back their results, and repeat
 * until it answers. Once for Chat Completions, which many providers offer, and once for Responses. The agent is made by
 * `forAgent(skills, { message: request })`.
 */
import { callTool, toOpenAiChatTool, toOpenAiResponsesTool, type AgentStart } from 'skillplane/agent';

export type Agent = Pick<AgentStart, 'system' | 'tools'>;

export interface OpenAiOptions {
  readonly apiKey: string;
  readonly model: string;
  readonly baseUrl?: string;
  /** By default the global one. */
  readonly fetch?: typeof globalThis.fetch;
  readonly maxSteps?: number;
}

/** Answers a request through Chat Completions. Throws if the API refuses, or after too many steps. */
export async function answerByChat({ system, tools }: Agent, request: string, options: OpenAiOptions): Promise<string> {
  const { model, maxSteps = 20 } = options;
  const messages: ChatMessage[] = [
    { role: 'system', content: system },
    { role: 'user', content: request },
  ];
  for (let step = 0; step < maxSteps; step += 1) {
    const body = { model, messages, tools: tools.map(toOpenAiChatTool) };
    const { choices } = await post<ChatAnswer>(options, 'chat/completions', body);
    const message = choices[0]?.message;
    if (message === undefined) throw new Error('the API returned no message');
    messages.push(message);
    if (message.tool_calls === undefined || message.tool_calls.length === 0) return message.content ?? '';
    for (const { id, function: call } of message.tool_calls) {
      const { text } = await callTool(tools, { name: call.name, args: call.arguments });
      messages.push({ role: 'tool', tool_call_id: id, content: text });
    }
  }
  throw new Error(`the model gave no answer in ${maxSteps} steps`);
}

/** Answers a request through Responses. Throws if the API refuses, or after too many steps. */
export async function answerByResponses(agent: Agent, request: string, options: OpenAiOptions): Promise<string> {
  const { system: instructions, tools } = agent;
  const { model, maxSteps = 20 } = options;
  const input: object[] = [{ role: 'user', content: request }];
  for (let step = 0; step < maxSteps; step += 1) {
    const body = { model, instructions, input, tools: tools.map(toOpenAiResponsesTool) };
    const { output } = await post<ResponsesAnswer>(options, 'responses', body);
    input.push(...output);
    const calls = output.filter((item) => item.type === 'function_call');
    if (calls.length === 0) return output.map((item) => (item.type === 'message' ? textOf(item) : '')).join('');
    for (const { call_id, name, arguments: args } of calls) {
      const { text } = await callTool(tools, { name, args });
      input.push({ type: 'function_call_output', call_id, output: text });
    }
  }
  throw new Error(`the model gave no answer in ${maxSteps} steps`);
}

interface ChatToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

interface ModelMessage {
  readonly role: 'assistant';
  readonly content: string | null;
  readonly tool_calls?: readonly ChatToolCall[];
}

type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string }
  | ModelMessage;

interface ChatAnswer {
  readonly choices: readonly { readonly message: ModelMessage }[];
}

interface OutputMessage {
  readonly type: 'message';
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}

interface FunctionCall {
  readonly type: 'function_call';
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
}

interface ResponsesAnswer {
  readonly output: readonly (OutputMessage | FunctionCall | { readonly type: 'reasoning' })[];
}

function textOf({ content }: OutputMessage): string {
  return content.map(({ text = '' }) => text).join('');
}

async function post<Answer>(
  { apiKey, baseUrl = 'https://api.openai.com/v1', fetch = globalThis.fetch }: OpenAiOptions,
  path: string,
  body: object,
): Promise<Answer> {
  const response = await fetch(`${baseUrl}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`the API answered ${response.status}: ${await response.text()}`);
  // The API documents this shape.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (await response.json()) as Answer;
}
