import { withDeadline } from '../activate/toolsets/deadline.ts';
import { explainThrown } from '../activate/toolsets/foreign-values.ts';
import type { ToolResult } from '../activate/toolsets/tool.ts';
import type { Skills } from '../engine/open-skills.ts';
import { openSkillLoader } from '../engine/skill-loading.ts';
import { compareText } from '../model/order.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { ActivationLedger } from './activation-ledger.ts';
import { onlyByAgents } from './agent-skills.ts';
import type { AgentTool } from './agent-tool.ts';
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
  /** A turn with fewer calls of tools is not looked back at; 5. */
  readonly minToolCalls?: number | undefined;
  /** How many tools the model may call; 15. */
  readonly maxCalls?: number | undefined;
  /** How long one answer of the model may take; 120000. */
  readonly answerTimeoutMs?: number | undefined;
}

/** What came of looking back. Nothing is undone where it ended early: what was written until then stays. */
export interface Reflection {
  /** `skipped`: the turn was too short. `stopped`: by the signal. Of all but `finished`, `message` says why. */
  readonly ended: 'skipped' | 'finished' | 'limit' | 'failed' | 'stopped';
  readonly message: string | undefined;
  /** Names of skills, sorted. */
  readonly created: readonly string[];
  readonly updated: readonly string[];
  /** How many tools were called. */
  readonly calls: number;
}

const MIN_TOOL_CALLS = 5;
const MAX_CALLS = 15;
const ANSWER_TIMEOUT_MS = 120_000;

/**
 * Lets a model look back at a turn and keep what is worth keeping as a skill. It sees and changes only what agents wrote,
 * and being looked at is no use of a skill.
 */
export class SkillReflector {
  readonly #skills: Skills;
  readonly #options: ReflectorOptions;

  constructor(skills: Skills, options: ReflectorOptions) {
    this.#skills = skills;
    this.#options = options;
  }

  /** Call it after a turn has ended; never rejects. */
  async reflect(turn: Turn, { signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<Reflection> {
    const { minToolCalls = MIN_TOOL_CALLS, maxCalls = MAX_CALLS } = this.#options;
    const talk = new Talk(reflectionTools(this.#skills), maxCalls);
    if (turn.toolCalls.length < minToolCalls)
      return talk.end('skipped', `the turn has fewer than ${minToolCalls} calls of tools`);
    const list = await talk.tools[0]?.execute({});
    talk.begin(turn, list?.ok === true ? list.output : '');
    for (;;) {
      const answer = await this.#ask(talk, signal);
      const isLimit = answer.ok && answer.toolCalls.length > 0 && !(await talk.call(answer, signal));
      if (signal?.aborted === true) return talk.end('stopped', explainThrown(signal.reason));
      if (!answer.ok) return talk.end('failed', answer.message);
      if (answer.toolCalls.length === 0) return talk.end('finished');
      if (isLimit) return talk.end('limit', `the model may call no more than ${maxCalls} tools`);
    }
  }

  #ask(talk: Talk, signal: AbortSignal | undefined): Promise<Outcome<ModelAnswer>> {
    const { model, answerTimeoutMs: timeoutMs = ANSWER_TIMEOUT_MS } = this.#options;
    return withDeadline({ who: 'the model', timeoutMs, signal }, async (either) => {
      try {
        return readAnswer(await model([...talk.messages], talk.tools, { signal: either }), talk.calls + 1);
      } catch (error) {
        return fail('TOOLSET_FAILED', `the model failed: ${explainThrown(error)}`);
      }
    });
  }
}

interface ModelAnswer {
  readonly text: string;
  readonly toolCalls: readonly ReflectionToolCall[];
}

function reflectionTools(skills: Skills): readonly AgentTool[] {
  const { environment, catalog } = skills;
  const own = onlyByAgents({ ...skills, loader: openSkillLoader({ environment, catalog }) });
  return [listSkillsTool(own), loadSkillTool(own, new ActivationLedger()), writeSkillTool(skills)];
}

/** What was said so far, and what came of it. */
class Talk {
  readonly tools: readonly AgentTool[];
  readonly messages: ReflectionMessage[] = [];
  readonly #written = new Map<string, 'created' | 'updated'>();
  readonly #maxCalls: number;
  #calls = 0;

  constructor(tools: readonly AgentTool[], maxCalls: number) {
    this.tools = tools;
    this.#maxCalls = maxCalls;
  }

  get calls(): number {
    return this.#calls;
  }

  begin(turn: Turn, list: string): void {
    this.messages.push(
      { role: 'system', content: REFLECTION_PROMPT },
      { role: 'user', content: `The turn:\n\n${renderTurn(turn)}\n\nSkills that agents wrote:\n\n${list}` },
    );
  }

  /** Calls what the model asked for; false where it asked for more than it may. */
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
    const tool = this.tools.find((candidate) => candidate.name === name);
    const result =
      tool === undefined
        ? fail(
            'TOOLSET_FAILED',
            `there is no tool "${name}"; there are ${this.tools.map((one) => one.name).join(', ')}`,
          )
        : await tool.execute(args, signal === undefined ? {} : { signal });
    if (result.ok && name === 'write_skill') this.#note(result.metadata);
    const content = result.ok ? result.output : result.message;
    return { role: 'tool', toolCallId: id, toolName: name, content, isError: !result.ok };
  }

  /** A skill that was created and then changed again was created. */
  #note({ name, action }: ToolResult['metadata']): void {
    if (typeof name !== 'string' || (action !== 'created' && action !== 'updated')) return;
    if (!this.#written.has(name)) this.#written.set(name, action);
  }
}
