import type { JSX } from 'preact';

import type { HookView, LabView } from '../../lib/answers.ts';
import { choose, route } from '../../lib/route.ts';
import { visible } from '../../lib/visible-text.ts';
import { counted } from '../../lib/words.ts';
import { Choice } from '../../parts/choice.tsx';
import { Link } from '../../parts/link.tsx';
import { ToolAnswer } from '../model/tool-answer.tsx';

/** Everything that a message sets off: triggers, the hook of a host, and the text that the model gets. */
export function ForModels({ request, view }: { readonly request: string; readonly view: LabView }): JSX.Element {
  const { matches, suggestions, hooks, tier, tokens, text } = view;
  return (
    <section class="stack" aria-label="For models">
      <h2>Triggers</h2>
      {matches.map(({ name, reasons }) => (
        <p key={name}>
          <Link page="skill" params={{ name }} class="mono">
            {visible(name)}
          </Link>{' '}
          <span class="muted">{visible(reasons.join('; '))}</span>
        </p>
      ))}
      {matches.length === 0 && (
        <p class="muted">
          None fires.
          {suggestions.length > 0 && ` Closest: ${visible(suggestions.map(({ name }) => name).join(', '))}.`}
        </p>
      )}
      <Hook hooks={hooks} />
      <h2>
        The model gets: {tier} <span class="count">{counted(tokens, 'token')}</span>
      </h2>
      {text !== '' && (
        <pre class="catalog-text" tabIndex={0}>
          {visible(text)}
        </pre>
      )}
      <h2>search_skills answers</h2>
      <ToolAnswer client="any" tool="search_skills" about={request} />
    </section>
  );
}

function Hook({ hooks }: { readonly hooks: readonly HookView[] }): JSX.Element | null {
  const [first] = hooks;
  const shown = hooks.find(({ host }) => host === route.value.params['hook']) ?? first;
  if (first === undefined || shown === undefined) return null;
  return (
    <div class="stack" role="group" aria-label="The hook">
      <div class="head">
        <h2>The hook says</h2>
        <Choice
          label="To which host"
          all={`to ${first.title}`}
          value={shown === first ? '' : shown.host}
          options={hooks.slice(1).map(({ host, title }) => [host, `to ${title}`])}
          onChoose={(hook) => choose({ hook })}
        />
      </div>
      {shown.text === undefined ? (
        <p class="muted">Nothing: {visible(shown.because ?? 'there is nothing to say')}.</p>
      ) : (
        <blockquote>{visible(shown.text)}</blockquote>
      )}
    </div>
  );
}
