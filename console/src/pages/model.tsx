import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';

import type { ModelSegment, ModelView } from '../lib/answers.ts';
import { choose, route } from '../lib/route.ts';
import { useSession } from '../lib/session.ts';
import { useRead } from '../lib/use-read.ts';
import { visible } from '../lib/visible-text.ts';
import { counted, grouped, wholeNumber } from '../lib/words.ts';
import { Choice } from '../parts/choice.tsx';
import { Link } from '../parts/link.tsx';
import { Strip } from '../parts/strip.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { Instructions, Tools } from './model/told.tsx';

/** How the address names the clients of our MCP server; behind it is an agent. */
const OVER_MCP = 'mcp';

/** Shows what a model reads: as a strip of tokens, as lists, as the exact text, and the answers of its tools. */
export function ModelPage(): JSX.Element {
  const { params } = route.value;
  const as = params['as'];
  const { hosts } = useSession();
  const client = as === OVER_MCP ? 'any' : hosts.find(({ id }) => as === `${OVER_MCP}-${id}`)?.id;
  return (
    <div class="page">
      <div class="head">
        <h1>What the model sees</h1>
        <Choice
          label="In which client"
          all="an agent of your own"
          value={as ?? ''}
          options={[
            [OVER_MCP, 'any client, over MCP'],
            ...hosts.map(({ id, title }) => [`${OVER_MCP}-${id}`, `${title}, over MCP`] as const),
            ...hosts.map(({ id, title }) => [id, `${title}, its own list`] as const),
          ]}
          onChoose={(id) => choose({ as: id })}
        />
        {as === undefined && <Budget />}
      </div>
      {client === undefined ? <Sight host={as} /> : <Instructions client={client} />}
      {(as === undefined || client !== undefined) && <Tools client={client} />}
    </div>
  );
}

const DEFAULT_BUDGET = 4_000;

function chosenBudget(): number {
  return wholeNumber(route.value.params['budget'], DEFAULT_BUDGET);
}

function Budget(): JSX.Element {
  const budget = chosenBudget();
  return (
    <label class="slider">
      Budget{' '}
      <input
        type="range"
        min="200"
        max="20000"
        step="100"
        value={budget}
        onInput={({ currentTarget }) => choose({ budget: currentTarget.value })}
      />{' '}
      <span class="number">{counted(budget, 'token')}</span>
    </label>
  );
}

/** The skills as an agent of one's own is told of them, or as this host lists them. */
function Sight({ host }: { readonly host: string | undefined }): JSX.Element | null {
  const { value, failure } = useRead('model', host === undefined ? { budget: chosenBudget() } : { host });
  if (failure !== undefined) return <Trouble failure={failure} />;
  return value === undefined ? null : <List view={value} />;
}

function List({ view }: { readonly view: ModelView }): JSX.Element {
  const { segments, text, tokens, budget, because } = view;
  const [chosen, setChosen] = useState<string>();
  const count = (kind: ModelSegment['kind']): number => segments.filter((one) => one.kind === kind).length;
  const left = segments.filter(({ kind }) => kind === 'omitted');
  const pieces = useMemo(() => splitText(visible(text), chosen), [text, chosen]);
  return (
    <>
      <p>
        <strong>{grouped(count('described'))} described</strong>, {grouped(count('shortened'))} shortened,{' '}
        {grouped(count('named'))} by name only, <strong>{grouped(left.length)} left out</strong>;{' '}
        {counted(tokens, 'token')}
        {budget === undefined ? ', no limit' : ` of ${grouped(budget)}`}
        {because === undefined ? '' : ` (${because})`}.
      </p>
      <Strip segments={segments} total={Math.max(budget ?? 0, tokens)} chosen={chosen} onChoose={setChosen} />
      <Chosen segment={segments.find(({ name }) => name === chosen)} />
      <div class="columns">
        <section class="stack">
          <h2>The text</h2>
          <pre class="catalog-text" tabIndex={0}>
            {pieces.map((piece, at) =>
              at === 1 ? (
                <mark key={at} ref={scrollTo}>
                  {piece}
                </mark>
              ) : (
                piece
              ),
            )}
          </pre>
        </section>
        <section class="stack">
          <h2>Left out</h2>
          {left.length === 0 ? <p class="muted">Nothing.</p> : <Left segments={left} />}
        </section>
      </div>
    </>
  );
}

function Chosen({ segment }: { readonly segment: ModelSegment | undefined }): JSX.Element {
  return (
    <p role="status" class="chosen-segment">
      {segment === undefined ? (
        <span class="muted">Point at a piece, or move with the arrow keys.</span>
      ) : (
        <>
          <Link page="skill" params={{ name: segment.name }} class="mono">
            {visible(segment.name)}
          </Link>{' '}
          {segment.kind}, {counted(segment.tokens, 'token')}
          {segment.because !== undefined && <span class="muted"> · {visible(segment.because)}</span>}
        </>
      )}
    </p>
  );
}

const MOST_LEFT = 300;

function Left({ segments }: { readonly segments: readonly ModelSegment[] }): JSX.Element {
  return (
    <ul class="left-out">
      {segments.slice(0, MOST_LEFT).map(({ name, because }) => (
        <li key={name}>
          <Link page="skill" params={{ name }} class="mono">
            {visible(name)}
          </Link>
          {because !== undefined && <span class="muted"> {visible(because)}</span>}
        </li>
      ))}
      {segments.length > MOST_LEFT && <li class="muted">and {grouped(segments.length - MOST_LEFT)} more</li>}
    </ul>
  );
}

/** The text before, at and after the first mention of a skill. */
function splitText(text: string, name: string | undefined): readonly string[] {
  if (name === undefined) return [text];
  const at = [`<name>${name}<`, `**${name}**`, `- ${name}`, `"${name}"`, name]
    .map((form) => text.indexOf(form))
    .find((found) => found !== -1);
  if (at === undefined) return [text];
  const start = text.indexOf(name, at);
  return [text.slice(0, start), name, text.slice(start + name.length)];
}

function scrollTo(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
