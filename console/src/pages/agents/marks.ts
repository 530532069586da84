import type { AgentChange } from '../../lib/answers.ts';
import { choose, route } from '../../lib/route.ts';

/** A change that was marked in a cell and waits to be applied. Marks are in the address, so that a reload keeps them. */
export type Mark = AgentChange & { readonly to: 'give' | 'kept' };

export function readMarks(): readonly Mark[] {
  return (route.value.params['marks'] ?? '').split(',').flatMap((text) => {
    const [, agent, sign, name] = /^([\w-]+?)([ +!])(.+)$/.exec(text) ?? [];
    if (agent === undefined || name === undefined) return [];
    return [{ agent, name: decodeURIComponent(name), to: sign === '!' ? 'kept' : 'give' }];
  });
}

export function writeMarks(marks: readonly Mark[]): void {
  const texts = marks.map(({ agent, name, to }) => `${agent}${to === 'give' ? '+' : '!'}${encodeURIComponent(name)}`);
  choose({ marks: texts.join(',') });
}

/** Marks a cell; marking it again leaves it as it is. */
export function toggleMark(mark: Mark): void {
  const marks = readMarks();
  const others = marks.filter(({ agent, name }) => agent !== mark.agent || name !== mark.name);
  writeMarks(others.length < marks.length ? others : [...others, mark]);
}
