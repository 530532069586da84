import { harmlessData } from '../agent/harmless-data.ts';
import type { Skills } from '../engine/open-skills.ts';
import type { CtxAnswer } from './answer.ts';
import { loadSkill } from './load-operation.ts';
import { parseStatement } from './parse-statement.ts';
import { runScript, type HandleOptions } from './run-operation.ts';
import { openSearchOperation } from './search-operation.ts';
import { failAt } from './statement-error.ts';
import type { Operator, Statement } from './statement.ts';
import { removeSkill, storeSkill, updateSkill } from './write-operations.ts';

/** The one door for an agent that speaks CTX. */
export interface Gateway {
  /**
   * Answers one statement from the skills as they are on disk now. Whatever the text is, there is an answer; to an
   * agent there are no skills that are disabled, unavailable or hidden from models.
   */
  handle(text: string, options?: HandleOptions): Promise<CtxAnswer>;
}

export function createGateway(skills: Skills): Gateway {
  const operations = openOperations(skills);
  let looking: Promise<unknown> = Promise.resolve();
  /** One look after the other: each finds what was there when it was asked for. */
  const look = (): Promise<unknown> => {
    const next = looking.then(() => skills.refresh());
    looking = next.catch(() => undefined);
    return next;
  };
  return {
    async handle(text, options = {}) {
      const parsed = parseStatement(text);
      if (!parsed.ok) return harmlessData(parsed);
      const { statement } = parsed;
      const { operator, plane } = statement;
      if (plane !== 's') return refusePlane(operator, plane);
      // Storing looks by itself.
      if (operator !== '+') await look();
      return harmlessData(await operations[operator](statement, options));
    },
  };
}

type Operations = Readonly<Record<Operator, (statement: Statement, options: HandleOptions) => Promise<CtxAnswer>>>;

function openOperations(skills: Skills): Operations {
  return {
    '?': openSearchOperation(skills),
    '!': (statement) => loadSkill(skills, statement),
    '+': (statement) => storeSkill(skills, statement),
    '~': (statement) => updateSkill(skills, statement),
    '-': (statement) => removeSkill(skills, statement),
    '>': (statement, options) => runScript(skills, statement, options),
  };
}

function refusePlane(operator: Operator, plane: string): CtxAnswer {
  const error = failAt(`${operator}${plane}`, { position: 1, expected: 's' });
  return { ...error, message: `plane ${plane} is not served here` };
}
