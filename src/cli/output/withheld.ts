import type { Skill, Skills } from '../../index.ts';
import type { Failure } from '../../model/outcome.ts';
import type { Invocation } from '../command.ts';

/** Why models are not given the text of a skill; undefined if they are. */
export async function findWithheld({ loader, trust }: Skills, { name }: Skill): Promise<Failure | undefined> {
  const located = loader.locate(name, { includeDisabled: true, includeUnavailable: true });
  const admitted = located.ok ? await trust.admit(located) : undefined;
  return admitted?.ok === false ? admitted : undefined;
}

export function describeWithheld({ message, hint = '' }: Failure, renderHint: Invocation['renderHint']): string {
  return `${message}. ${renderHint(hint)}`.trimEnd();
}
