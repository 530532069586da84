import type { JSX } from 'preact';

import type { WireFailure } from '../../../../src/http/wire.ts';
import type { AgentFact, Changes } from '../../lib/answers.ts';
import { useSession } from '../../lib/session.ts';
import { visible } from '../../lib/visible-text.ts';
import { joinNames, shortPath, shortPaths } from '../../lib/words.ts';
import { Next } from '../../parts/next.tsx';
import { Trouble } from '../../parts/trouble.tsx';

export type Facts = Changes['skills/switch']['output']['done'][number]['after'];

/** A change of the skill, or why it was not made. */
export type Saying = { readonly failure: WireFailure } | SaidChange;

interface SaidChange {
  /** `Disabled.` */
  readonly what: string;
  readonly before: Facts;
  readonly after: Facts;
  /** Other effects. */
  readonly more?: string;
  readonly file?: string | undefined;
  readonly undo?: (() => void) | undefined;
}

interface SaidProps {
  readonly saying: Saying;
  readonly name: string;
  readonly onDismiss: () => void;
}

/** Says what was just done on the page of a skill, where it was done: who has it now, who still does and why, and Undo. */
export function Said({ saying, name, onDismiss }: SaidProps): JSX.Element {
  const { home } = useSession();
  const dismiss = (
    <button type="button" class="plain" aria-label="Dismiss" onClick={onDismiss}>
      ✕
    </button>
  );
  if ('failure' in saying)
    return (
      <div class="said">
        <Trouble failure={saying.failure} />
        {dismiss}
      </div>
    );
  const { what, before, after, more, file, undo } = saying;
  const had = new Set(before.flatMap(({ agent, has }) => (has ? [agent] : [])));
  const gone = titlesOf(after.filter(({ agent, has }) => !has && had.has(agent)));
  const come = titlesOf(after.filter(({ agent, has }) => has && !had.has(agent)));
  const still = after.filter(({ has, isKept }) => has && isKept);
  const without = after.filter(({ has, isWished }) => !has && isWished);
  return (
    <div class={still.length + without.length > 0 ? 'said warned' : 'said'}>
      <div role="status">
        <p>
          <strong>{what}</strong>{' '}
          {gone.length > 0 &&
            `${joinNames(gone)} no longer ${gone.length === 1 ? 'lists' : 'list'} ${visible(name)} (in new sessions). `}
          {come.length > 0 && `${joinNames(come)} can use ${visible(name)} now (in new sessions). `}
          {visible(more ?? '')}
        </p>
        {[...still, ...without].map(({ agent, title, has, because, next }) => (
          <div key={agent}>
            <p>
              <strong>
                {title} {has ? 'still lists it' : 'cannot use it'}:
              </strong>{' '}
              {visible(shortPaths(because ?? 'not listed', home))}.
            </p>
            {/* Its line below says how to remove it. */}
            {next !== undefined && !has && <Next step={next} home={home} />}
          </div>
        ))}
        {file !== undefined && (
          <p class="muted">
            Changed <code>{visible(shortPath(file, home))}</code>
          </p>
        )}
      </div>
      {undo !== undefined && (
        <button type="button" class="small" onClick={undo}>
          Undo
        </button>
      )}
      {dismiss}
    </div>
  );
}

function titlesOf(facts: readonly Pick<AgentFact, 'title'>[]): readonly string[] {
  return facts.map(({ title }) => title);
}
