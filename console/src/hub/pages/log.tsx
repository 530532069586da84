import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { LogRowAnswer } from '../../../../hub/src/http/wire.ts';
import { notifyFailure } from '../../lib/notices.ts';
import { visible } from '../../lib/visible-text.ts';
import { Choice } from '../../parts/choice.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import { ask, questions } from '../lib/api.ts';
import { momentOf } from '../lib/labels.ts';
import { choose, route } from '../lib/route.ts';
import { useAsk } from '../lib/use-ask.ts';
import { SkillLink } from '../parts/hub-link.tsx';

/** Every act, the newest first. */
export function LogPage(): JSX.Element {
  const { scope = '' } = route.value.params;
  const { value, failure } = useAsk(questions.log(scope, undefined));
  const scopes = useAsk(questions.scopes()).value?.scopes ?? [];
  return (
    <div class="page">
      <div class="head">
        <h1>Log</h1>
        <Choice
          label="Scope"
          all="all scopes"
          value={scope}
          options={scopes.map(({ name }) => [name, `@${name}`])}
          onChoose={(chosen) => choose({ scope: chosen })}
        />
        <span class="muted">The database itself refuses to change it. Times are UTC.</span>
      </div>
      {failure !== undefined && <Trouble failure={failure} />}
      {value !== undefined && <Rows key={scope} first={value.log} scope={scope} />}
    </div>
  );
}

interface RowsProps {
  readonly first: readonly LogRowAnswer[];
  readonly scope: string;
}

const PAGE = 100;

function Rows({ first, scope }: RowsProps): JSX.Element {
  const [older, setOlder] = useState<readonly LogRowAnswer[]>([]);
  const [isEnd, setEnd] = useState(first.length < PAGE);
  const rows = [...first, ...older.filter(({ id }) => id < (first.at(-1)?.id ?? Infinity))];
  const more = async (): Promise<void> => {
    const answer = await ask(questions.log(scope, rows.at(-1)?.id));
    if (!answer.ok) {
      notifyFailure(answer.failure);
      return;
    }
    setOlder([...older, ...answer.value.log]);
    setEnd(answer.value.log.length < PAGE);
  };
  if (rows.length === 0) return <p class="muted">Nothing was done here yet.</p>;
  return (
    <>
      <DataTable label="Acts" columns={['When', 'Who', 'Did', 'To', 'Details']}>
        {rows.map((row) => (
          <tr key={row.id}>
            <td class="moment">{momentOf(row.at)}</td>
            <td>
              <bdi>{visible(row.actor)}</bdi>
            </td>
            <td>{row.action}</td>
            <td>
              <Subject row={row} />
            </td>
            <td>
              <bdi>{visible(describe(row.detail))}</bdi>
            </td>
          </tr>
        ))}
      </DataTable>
      {!isEnd && (
        <div>
          <button type="button" onClick={() => void more()}>
            Show older acts
          </button>
        </div>
      )}
    </>
  );
}

function Subject({ row: { scope, skill, version } }: { readonly row: LogRowAnswer }): JSX.Element | null {
  if (scope === null) return null;
  if (skill === null) return <span class="mono">@{visible(scope)}</span>;
  return <SkillLink skill={{ scope, name: skill }} {...(version === null ? {} : { version })} />;
}

/** The digest is on the page of the version. */
function describe(detail: LogRowAnswer['detail']): string {
  return Object.entries(detail)
    .filter(([key, value]) => key !== 'digest' && value !== null)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ');
}
