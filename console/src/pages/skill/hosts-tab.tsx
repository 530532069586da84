import type { JSX } from 'preact';

import { useRead } from '../../lib/use-read.ts';
import { visible } from '../../lib/visible-text.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Next } from '../../parts/next.tsx';
import { Standing } from '../../parts/standing.tsx';
import { Trouble } from '../../parts/trouble.tsx';

/** Which agent programs see the skill, how, and why not. */
export function HostsTab({ name }: { readonly name: string }): JSX.Element {
  const { value, failure } = useRead('skill/hosts', { name });
  if (failure !== undefined) return <Trouble failure={failure} />;
  if (value === undefined) return <div aria-busy="true" />;
  if (value.hosts.length === 0) return <p class="muted">No agent program that we know is on this machine.</p>;
  return (
    <DataTable label="Hosts" columns={['Host', 'Its model', 'Why, and what to do']}>
      {value.hosts.map(({ id, title, standing, because, next, text }) => (
        <tr key={id}>
          <th scope="row">{title}</th>
          <td>
            <Standing standing={standing} />
          </td>
          <td>
            {because !== undefined && <p>{visible(because)}</p>}
            {next !== undefined && <Next step={next} />}
            {because === undefined && <span class="muted">reads: {visible(text)}</span>}
          </td>
        </tr>
      ))}
    </DataTable>
  );
}
