/**
 * An agent on the AI SDK that learns: after each turn, `SkillReflector` looks back and may keep what the turn taught as a
 * skill, which the next conversation finds. Use `answer` as it is, or only `toReflectionModel` in a loop of your own.
 */
import { generateText, isStepCount, type LanguageModel, type ModelMessage, type ToolSet } from 'ai';
import {
  SkillReflector,
  type Reflection,
  type ReflectionMessage,
  type ReflectionModel,
  type Turn,
  type Skills,
} from 'skillplane';
import type { AgentTool } from 'skillplane/agent';
import { toAiSdkTool, toolSet } from 'skillplane/ai-sdk';

/** Answers one request with the tools for skills and those of the host, then looks back. */
export async function answer(
  skills: Skills,
  request: string,
  { model, tools = {} }: { readonly model: LanguageModel; readonly tools?: ToolSet },
): Promise<{ readonly text: string; readonly reflection: Reflection }> {
  const { text, steps } = await generateText({
    model,
    system: await skills.prompt({ message: request }),
    tools: { ...tools, ...toolSet(skills) },
    stopWhen: isStepCount(30),
    prompt: request,
  });
  const turn: Turn = {
    request,
    answer: text,
    toolCalls: steps.flatMap(({ content }) =>
      content.flatMap((part): Turn['toolCalls'] => {
        if (part.type === 'tool-result') return [{ name: part.toolName, args: part.input, output: part.output }];
        if (part.type !== 'tool-error') return [];
        return [{ name: part.toolName, args: part.input, output: String(part.error), isError: true }];
      }),
    ),
  };
  const reflector = new SkillReflector(skills, { model: toReflectionModel(model) });
  return { text, reflection: await reflector.reflect(turn) };
}

/** Uses a model of the AI SDK to look back. Its tools have no `execute`: the reflector runs and counts the calls. */
export function toReflectionModel(model: LanguageModel): ReflectionModel {
  return async (messages, tools, { signal }) => {
    const { text, toolCalls } = await generateText({
      model,
      messages: messages.map(toModelMessage),
      tools: Object.fromEntries(tools.map((tool) => [tool.name, withoutExecute(tool)])),
      allowSystemInMessages: true,
      abortSignal: signal,
    });
    return {
      text,
      toolCalls: toolCalls.map(({ toolCallId, toolName, input }) => ({ id: toolCallId, name: toolName, args: input })),
    };
  };
}

function withoutExecute(tool: AgentTool): ToolSet[string] {
  const { execute: _, ...described } = toAiSdkTool(tool);
  return described;
}

function toModelMessage(message: ReflectionMessage): ModelMessage {
  if (message.role === 'assistant') {
    const calls = message.toolCalls.map(({ id, name, args }) => {
      return { type: 'tool-call' as const, toolCallId: id, toolName: name, input: args };
    });
    return { role: 'assistant', content: [...(message.content === '' ? [] : [toTextPart(message.content)]), ...calls] };
  }
  if (message.role !== 'tool') return { role: message.role, content: message.content };
  const { toolCallId, toolName, content, isError } = message;
  const output = { type: isError ? ('error-text' as const) : ('text' as const), value: content };
  return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] };
}

function toTextPart(text: string): { readonly type: 'text'; readonly text: string } {
  return { type: 'text', text };
}
