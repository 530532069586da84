import { dataForModel, failForModel } from '../agent/model-text.ts';
import type { Skills } from '../engine/open-skills.ts';
import type { CtxAnswer } from './answer.ts';
import { parseStatement } from './parse-statement.ts';
import { agentWriting, refuseOperator, type GatewayOptions } from './permissions.ts';
import { answerLoad, answerSearch } from './read-operations.ts';
import { answerRun, type HandleOptions } from './run-operation.ts';
import { failAt } from './statement-error.ts';
import type { Operator, Statement } from './statement.ts';
import { answerRemove, answerStore, answerUpdate } from './write-operations.ts';

/** Answers the CTX statements of an agent. */
export interface Gateway {
  /**
   * Answers one statement from the skills as they are on disk now. Every text gets an answer. Skills that are disabled,
   * unavailable or hidden from models do not exist here.
   */
  handle(text: string, options?: HandleOptions): Promise<CtxAnswer>;
}

/** Opens a gateway. It only searches and reads, unless the options allow more. */
export function createGateway(skills: Skills, options: GatewayOptions = {}): Gateway {
  const acting = options.write === 'user' ? skills : { ...skills, writing: agentWriting(skills.writing) };
  let refreshing: Promise<unknown> = Promise.resolve();
  /** Refreshes one after the other, so that each statement sees the files as they were when it arrived, or newer. */
  const refresh = (): Promise<unknown> => {
    const next = refreshing.then(() => skills.refresh());
    refreshing = next.catch(() => undefined);
    return next;
  };
  return {
    async handle(text, handling = {}) {
      const parsed = parseStatement(text);
      if (!parsed.ok) return forModel(parsed);
      const { statement } = parsed;
      const { operator, plane } = statement;
      if (plane !== 's') return refusePlane(operator, plane);
      const refusal = refuseOperator(operator, options);
      if (refusal !== undefined) return forModel(refusal);
      // Storing for the user refreshes the skills itself.
      if (operator !== '+' || options.write !== 'user') await refresh();
      return forModel(await OPERATIONS[operator](acting, statement, handling));
    },
  };
}

type Answering = (skills: Skills, statement: Statement, options: HandleOptions) => Promise<CtxAnswer>;

const OPERATIONS: Readonly<Record<Operator, Answering>> = {
  '?': answerSearch,
  '!': answerLoad,
  '+': answerStore,
  '~': answerUpdate,
  '-': answerRemove,
  '>': answerRun,
};

function refusePlane(operator: Operator, plane: string): CtxAnswer {
  const error = failAt(`${operator}${plane}`, { position: 1, expected: 's' });
  return { ...error, message: `plane ${plane} is not served here` };
}

/** Hidden characters become visible in every text of the answer, and a failure's next step is part of its message. */
function forModel(answer: CtxAnswer): CtxAnswer {
  const visible = dataForModel(answer);
  return visible.ok ? visible : failForModel(visible);
}
