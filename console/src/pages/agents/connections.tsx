import type { JSX } from 'preact';

import type { AgentColumn, ConnectionView } from '../../lib/answers.ts';
import { change } from '../../lib/api.ts';
import { notify, notifyFailure } from '../../lib/notices.ts';
import { choose, route } from '../../lib/route.ts';
import { useSession } from '../../lib/session.ts';
import { useRead } from '../../lib/use-read.ts';
import { counted, shortPath, since } from '../../lib/words.ts';
import { DiffView } from '../../parts/diff-view.tsx';
import { Hint } from '../../parts/hint.tsx';
import { Trouble } from '../../parts/trouble.tsx';

/** Which hosts have our MCP server and our hook; both can be given and taken, after a look at the files. */
export function Connections({ agents }: { readonly agents: readonly AgentColumn[] }): JSX.Element {
  return (
    <div class="stack connections">
      <p class="muted">
        The MCP server lets an agent load skills that it does not list itself. The hook is asked about each message, and
        suggests a skill when it is a clear match. Uses count when transcripts are read, or at once if the agent reports
        each.
      </p>
      {agents.map(
        ({ id, title, connection }) =>
          connection !== undefined && <Connection key={id} host={{ id, title, connection }} />,
      )}
    </div>
  );
}

interface Known extends Pick<AgentColumn, 'id' | 'title'> {
  readonly connection: ConnectionView;
}

interface Wanted {
  readonly server: boolean;
  readonly hook: boolean;
  readonly recordsUse: boolean;
}

function Connection({ host }: { readonly host: Known }): JSX.Element {
  const { params } = route.value;
  const now = stateOf(host.connection);
  const isChosen = params['connect'] === host.id;
  const wanted = isChosen
    ? { server: params['server'] !== 'no', hook: params['hook'] !== 'no', recordsUse: params['use'] === 'yes' }
    : now;
  const want = (next: Wanted): void =>
    choose(
      isSame(next, now)
        ? NOTHING
        : {
            connect: host.id,
            server: next.server ? undefined : 'no',
            hook: next.hook ? undefined : 'no',
            use: next.recordsUse ? 'yes' : undefined,
          },
    );
  return (
    <section class="paper stack" aria-label={host.title}>
      <div class="head">
        <h2>{host.title}</h2>
        <label>
          <input type="checkbox" checked={wanted.server} onChange={() => want({ ...wanted, server: !wanted.server })} />{' '}
          MCP server
        </label>
        <label>
          <input
            type="checkbox"
            checked={wanted.hook}
            onChange={() => want({ ...wanted, hook: !wanted.hook, recordsUse: false })}
          />{' '}
          hook
        </label>
        <label>
          <input
            type="checkbox"
            checked={wanted.recordsUse}
            disabled={!wanted.hook}
            onChange={() => want({ ...wanted, recordsUse: !wanted.recordsUse })}
          />{' '}
          uses recorded at once
        </label>
        <span class="muted">{describe(host.connection)}</span>
      </div>
      {!isSame(wanted, now) && <Preview host={host} now={now} wanted={wanted} />}
    </section>
  );
}

const NOTHING = { connect: undefined, server: undefined, hook: undefined, use: undefined };

function stateOf({ hasServer, hook, recordsUse }: ConnectionView): Wanted {
  return { server: hasServer, hook: hook !== undefined, recordsUse };
}

function isSame(one: Wanted, other: Wanted): boolean {
  return one.server === other.server && one.hook === other.hook && one.recordsUse === other.recordsUse;
}

function describe({ hasServer, hook, log }: ConnectionView): string {
  if (hook === undefined) return hasServer ? 'no hook' : 'not connected';
  const asks = hook === 'server' ? 'the hook asks the MCP server' : 'the hook starts a process for each message';
  return `${asks}; last asked: ${since(log.asked)}, last spoke: ${since(log.spoke)}`;
}

interface PreviewProps {
  readonly host: Known;
  readonly now: Wanted;
  readonly wanted: Wanted;
}

function Preview({ host, now, wanted }: PreviewProps): JSX.Element {
  const { isReadOnly, home } = useSession();
  const { value, failure } = useRead('agents/connect', {
    host: host.id,
    server: wanted.server ? 'true' : undefined,
    hook: wanted.hook ? 'true' : undefined,
    recordsUse: wanted.recordsUse ? 'true' : undefined,
  });
  if (failure !== undefined) return <Trouble failure={failure} />;
  if (value === undefined) return <p class="muted">Looking at its files…</p>;
  return (
    <>
      <p>
        Changes {counted(value.files.length, 'file')}:{' '}
        <span class="mono">{value.files.map(({ path }) => shortPath(path, home)).join(', ') || 'none'}</span>
      </p>
      {value.files.map(({ path, diff }) => (
        <DiffView key={path} diff={diff} label={`Changes in ${path}`} />
      ))}
      <div class="row-of-buttons">
        {!isReadOnly && (
          <button
            type="button"
            class="main"
            onClick={() => void apply(host, wanted, { home, undo: () => void apply(host, now, { home }) })}
          >
            Apply
          </button>
        )}
        <button type="button" onClick={() => choose(NOTHING)}>
          Cancel
        </button>
        {value.next !== undefined && (
          <span class="muted">
            Then: <Hint text={value.next} />
          </span>
        )}
      </div>
    </>
  );
}

interface ApplyOptions {
  readonly home: string;
  readonly undo?: (() => void) | undefined;
}

async function apply({ id, title }: Known, wanted: Wanted, { home, undo }: ApplyOptions): Promise<void> {
  const answer = await change('agents/connect', { host: id, ...wanted });
  if (!answer.ok) {
    notifyFailure(answer.failure);
    return;
  }
  choose(NOTHING);
  const parts = [...(wanted.server ? ['MCP server'] : []), ...(wanted.hook ? ['hook'] : [])];
  const { files, next } = answer.value;
  const changed = `Changed ${files.map(({ path }) => shortPath(path, home)).join(', ')}.`;
  notify({
    kind: 'done',
    text: parts.length === 0 ? `${title} is disconnected.` : `${title} has the ${parts.join(' and the ')}.`,
    detail: undo === undefined || next === undefined ? changed : `${changed} ${next}`,
    undo,
  });
}
