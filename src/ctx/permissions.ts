import type { SkillWriting } from '../author/skill-writing.ts';
import type { NextStep } from '../model/next-step.ts';
import { fail, type Failure } from '../model/outcome.ts';
import type { Operator } from './statement.ts';

/** A permission that a statement may need beyond reading. */
export type CtxPermission = 'write' | 'run';

/** The permissions of a gateway. Without any, it only searches and reads. */
export interface GatewayOptions {
  /**
   * The rights of `+s`, `~s` and `-s`; `'none'`. `'agent'` stores skills with `creator: agent`, and changes and removes only
   * such skills. `'user'` may do whatever the user may: never pass it for statements that a model wrote.
   */
  readonly write?: 'none' | 'agent' | 'user' | undefined;
  /** Allows `>s`. Only trusted skills run; false. */
  readonly run?: boolean | undefined;
  /** How the reader of a refused statement gets the permission. By default it names the option. */
  readonly howToAllow?: ((permission: CtxPermission) => NextStep) | undefined;
}

const NEEDED: Readonly<Record<Operator, CtxPermission | undefined>> = {
  '?': undefined,
  '!': undefined,
  '+': 'write',
  '~': 'write',
  '-': 'write',
  '>': 'run',
};

const DEEDS: Readonly<Record<CtxPermission, string>> = { write: 'writes skills', run: 'runs scripts' };

/** Unknown values mean no permission. */
export function isAllowed(operator: Operator, { write, run }: GatewayOptions): boolean {
  const needed = NEEDED[operator];
  if (needed === undefined) return true;
  return needed === 'write' ? write === 'agent' || write === 'user' : run === true;
}

/** Why the statement is refused; undefined if it is allowed. */
export function refuseOperator(operator: Operator, options: GatewayOptions): Failure | undefined {
  const needed = NEEDED[operator];
  if (needed === undefined || isAllowed(operator, options)) return undefined;
  const { howToAllow = nameOption } = options;
  return fail('NOT_ALLOWED', `${operator}s is not allowed here: it ${DEEDS[needed]}`, howToAllow(needed));
}

function nameOption(permission: CtxPermission): NextStep {
  const option = permission === 'write' ? "write: 'agent'" : 'run: true';
  return { advice: `Only the host program can allow this, with \`${option}\`.` };
}

/** The writing rights of an agent: its skills are marked as written by an agent, and it changes or removes only such skills. */
export function agentWriting(writing: SkillWriting): SkillWriting {
  return {
    ...writing,
    create: (draft, options) => writing.create(draft, { ...options, ...AGENT_RIGHTS }),
    update: (name, changes, options) => writing.update(name, changes, { ...options, ...AGENT_RIGHTS }),
    remove: (name, options) => writing.remove(name, { ...options, ...AGENT_RIGHTS }),
  };
}

/** A project's skills may claim anything about their author. */
const AGENT_RIGHTS = { by: 'agent', project: false } as const;
