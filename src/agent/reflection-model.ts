import { isPlainObject } from '../model/foreign-values.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import type { AgentTool } from './agent-tool.ts';

export interface ReflectionToolCall {
  readonly id: string;
  readonly name: string;
  /** An object, or the same as JSON text. */
  readonly args: unknown;
}

/** One message of a reflection. Every model API has these four roles. */
export type ReflectionMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls: readonly ReflectionToolCall[] }
  | {
      readonly role: 'tool';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly content: string;
      readonly isError: boolean;
    };

/** The model's answer. The reflection ends when it calls no tool. */
export interface ReflectionAnswer {
  readonly text?: string | undefined;
  readonly toolCalls?: readonly (Omit<ReflectionToolCall, 'id'> & { readonly id?: string | undefined })[] | undefined;
}

/**
 * The host's model, called once per step. It only returns tool calls; the reflector executes them. Convert `tools` with
 * `toAiSdkTool`, `toAnthropicTool` and so on.
 */
export type ReflectionModel = (
  messages: readonly ReflectionMessage[],
  tools: readonly AgentTool[],
  options: { readonly signal: AbortSignal },
) => Promise<ReflectionAnswer>;

/** Checks the answer of the host's function, which may be untyped JavaScript. */
export function readAnswer(
  answer: unknown,
  firstId: number,
): Outcome<{ readonly text: string; readonly toolCalls: readonly ReflectionToolCall[] }> {
  if (!isPlainObject(answer)) return fail('TOOLSET_FAILED', 'the model returned no answer');
  const { text, toolCalls } = answer;
  const given: readonly unknown[] = Array.isArray(toolCalls) ? toolCalls : [];
  const calls = given.flatMap((call, index) => {
    if (!isPlainObject(call) || typeof call['name'] !== 'string') return [];
    const { id, name, args } = call;
    return [{ id: typeof id === 'string' && id !== '' ? id : `call-${firstId + index}`, name, args }];
  });
  if (calls.length < given.length) return fail('TOOLSET_FAILED', 'the model called a tool without a name');
  return { ok: true, text: typeof text === 'string' ? text : '', toolCalls: calls };
}
