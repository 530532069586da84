import { isPlainObject } from '../activate/toolsets/foreign-values.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import type { AgentTool } from './agent-tool.ts';

export interface ReflectionToolCall {
  readonly id: string;
  readonly name: string;
  /** An object, or the same as JSON text. */
  readonly args: unknown;
}

/** One message of a reflection; every model API has these four. */
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

/** What a model says: tools it wants called, or nothing of that, and then the reflection is over. */
export interface ReflectionAnswer {
  readonly text?: string | undefined;
  readonly toolCalls?: readonly (Omit<ReflectionToolCall, 'id'> & { readonly id?: string | undefined })[] | undefined;
}

/**
 * The host's model: is asked once per step and calls no tool itself. `tools` say their schema; `toAiSdkTool` and its like
 * turn them into what an API wants.
 */
export type ReflectionModel = (
  messages: readonly ReflectionMessage[],
  tools: readonly AgentTool[],
  options: { readonly signal: AbortSignal },
) => Promise<ReflectionAnswer>;

/** The host's function may be written in JavaScript: what it gives is looked at before it is believed. */
export function readAnswer(
  answer: unknown,
  firstId: number,
): Outcome<{ readonly text: string; readonly toolCalls: readonly ReflectionToolCall[] }> {
  if (!isPlainObject(answer)) return fail('TOOLSET_FAILED', 'the model gave no answer');
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
