import type { Failure } from '../../model/outcome.ts';
import type { Invocation } from '../command.ts';

/** Why models are not given the text of a skill, and what to do. */
export function describeWithheld({ message, next }: Failure, sayNext: Invocation['sayNext']): string {
  return next === undefined ? `${message}.` : `${message}. ${sayNext(next)}`;
}
