import type { ToolResult } from '../activate/toolsets/tool.ts';
import { changeableByAgent } from '../catalog/view.ts';
import type { Skills } from '../engine/open-skills.ts';
import { openSkillLoader, openSkillServing } from '../engine/skill-loading.ts';
import { explainThrown } from '../model/foreign-values.ts';
import type { NextStep } from '../model/next-step.ts';
import { compareText } from '../model/order.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { withDeadline } from '../platform/deadline.ts';
import { ActivationLedger } from './activation-ledger.ts';
import type { AgentTool } from './agent-tool.ts';
import { callTool } from './call-tool.ts';
import {
  readAnswer,
  type ReflectionMessage,
  type ReflectionModel,
  type ReflectionToolCall,
} from './reflection-model.ts';
import { REFLECTION_PROMPT } from './reflection-prompt.ts';
import { listSkillsTool } from './tools/list-skills.ts';
import { loadSkillTool } from './tools/load-skill.ts';
import { writeSkillTool } from './tools/write-skill.ts';
import { renderTurn, type Turn } from './turn-record.ts';

export interface ReflectorOptions {
  readonly model: ReflectionModel;
  /** Turns with fewer tool calls are skipped; 5. */
  readonly minToolCalls?: number | undefined;
  /** How many tool calls the model may make; 15. */
  readonly maxCalls?: number | undefined;
  /** The time limit for one answer of the model; 120000. */
  readonly answerTimeoutMs?: number | undefined;
}

/** The result of a reflection. If it ends early, the skills written so far stay. */
export interface Reflection {
  /**
   * `skipped`: the turn was too short. `stopped`: the signal was aborted. `failed`: the model failed, or there is no folder to write
   * to, or nothing that it wrote could be kept. `message` says why, except for `finished`.
   */
  readonly ended: 'skipped' | 'finished' | 'limit' | 'failed' | 'stopped';
  readonly message: string | undefined;
  /** The step to take, if there is one. */
  readonly next?: NextStep | undefined;
  /** Sorted names. */
  readonly created: readonly string[];
  readonly updated: readonly string[];
  /** The number of tool calls. */
  readonly calls: number;
}

const MIN_TOOL_CALLS = 5;
const MAX_CALLS = 15;
const ANSWER_TIMEOUT_MS = 120_000;

/** Does one reflection. Never rejects. */
export async function reflectOn(
  turn: Turn,
  skills: Skills,
  options: ReflectorOptions,
  signal: AbortSignal | undefined,
): Promise<Reflection> {
  const { minToolCalls = MIN_TOOL_CALLS, maxCalls = MAX_CALLS } = options;
  const talk = new Talk(reflectionTools(skills), maxCalls);
  if (turn.toolCalls.length < minToolCalls)
    return talk.end('skipped', `the turn has fewer than ${minToolCalls} tool calls`);
  const folder = skills.writing.agentFolder();
  if (!folder.ok) return { ...talk.end('failed', folder.message), next: folder.next };
  const list = await talk.tools[0]?.execute({});
  talk.begin(turn, list?.ok === true ? list.output : '');
  for (;;) {
    const answer = await ask(talk, options, signal);
    const isLimit = answer.ok && answer.toolCalls.length > 0 && !(await talk.call(answer, signal));
    if (signal?.aborted === true) return talk.end('stopped', explainThrown(signal.reason));
    if (!answer.ok) return talk.end('failed', answer.message);
    if (answer.toolCalls.length === 0)
      return talk.refusal === undefined ? talk.end('finished') : talk.end('failed', talk.refusal);
    if (isLimit) return talk.end('limit', `the model reached the limit of ${maxCalls} tool calls`);
  }
}

function ask(
  talk: Talk,
  { model, answerTimeoutMs: timeoutMs = ANSWER_TIMEOUT_MS }: ReflectorOptions,
  signal: AbortSignal | undefined,
): Promise<Outcome<ModelAnswer>> {
  return withDeadline({ who: 'the model', timeoutMs, signal }, async (either) => {
    try {
      return readAnswer(await model([...talk.messages], talk.tools, { signal: either }), talk.calls + 1);
    } catch (error) {
      return fail('TOOLSET_FAILED', `the model failed: ${explainThrown(error)}`);
    }
  });
}

interface ModelAnswer {
  readonly text: string;
  readonly toolCalls: readonly ReflectionToolCall[];
}

function reflectionTools(skills: Skills): readonly AgentTool[] {
  const own = skills.only(changeableByAgent(skills.catalog()));
  const loader = openSkillLoader({ environment: own.environment, catalog: own.catalog });
  const silent = { ...own, serving: openSkillServing(loader, own.trust) };
  return [listSkillsTool(own), loadSkillTool(silent, { ledger: new ActivationLedger() }), writeSkillTool(skills)];
}

/** The conversation of one reflection, and the skills it wrote. */
class Talk {
  readonly tools: readonly AgentTool[];
  readonly messages: ReflectionMessage[] = [];
  readonly #written = new Map<string, 'created' | 'updated'>();
  readonly #maxCalls: number;
  #calls = 0;
  #refusal: string | undefined;

  constructor(tools: readonly AgentTool[], maxCalls: number) {
    this.tools = tools;
    this.#maxCalls = maxCalls;
  }

  get calls(): number {
    return this.#calls;
  }

  /** Why the model's last skill was not written, if none was. */
  get refusal(): string | undefined {
    return this.#written.size === 0 ? this.#refusal : undefined;
  }

  begin(turn: Turn, list: string): void {
    this.messages.push(
      { role: 'system', content: REFLECTION_PROMPT },
      { role: 'user', content: `The turn:\n\n${renderTurn(turn)}\n\nSkills written by agents:\n\n${list}` },
    );
  }

  /** Executes the model's tool calls; false if it exceeds the limit or is stopped. */
  async call({ text, toolCalls }: ModelAnswer, signal: AbortSignal | undefined): Promise<boolean> {
    this.messages.push({ role: 'assistant', content: text, toolCalls });
    for (const call of toolCalls) {
      if (this.#calls >= this.#maxCalls || signal?.aborted === true) return false;
      this.#calls += 1;
      this.messages.push(await this.#execute(call, signal));
    }
    return true;
  }

  end(ended: Reflection['ended'], message?: string): Reflection {
    const named = (action: 'created' | 'updated'): readonly string[] =>
      [...this.#written].flatMap(([name, done]) => (done === action ? [name] : [])).sort(compareText);
    return { ended, message, created: named('created'), updated: named('updated'), calls: this.#calls };
  }

  async #execute({ id, name, args }: ReflectionToolCall, signal: AbortSignal | undefined): Promise<ReflectionMessage> {
    const { text, isError, metadata } = await callTool(this.tools, { name, args, signal });
    if (name === 'write_skill' && isError) this.#refusal = text;
    if (name === 'write_skill') this.#note(metadata);
    return { role: 'tool', toolCallId: id, toolName: name, content: text, isError };
  }

  /** A skill that was created and then changed is reported as created. */
  #note({ name, action }: ToolResult['metadata']): void {
    if (typeof name !== 'string' || (action !== 'created' && action !== 'updated')) return;
    if (!this.#written.has(name)) this.#written.set(name, action);
  }
}
