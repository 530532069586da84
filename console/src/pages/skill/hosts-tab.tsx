import type { JSX } from 'preact';

import { useRead } from '../../lib/use-read.ts';
import { visible } from '../../lib/visible-text.ts';
import { Hint } from '../../parts/hint.tsx';
import { Standing } from '../../parts/standing.tsx';
import { Trouble } from '../../parts/trouble.tsx';

/** Which agent programs see the skill, how, and why not. */
export function HostsTab({ name }: { readonly name: string }): JSX.Element {
  const { value, failure } = useRead('skill/hosts', { name });
  if (failure !== undefined) return <Trouble failure={failure} />;
  if (value === undefined) return <div aria-busy="true" />;
  if (value.hosts.length === 0) return <p class="muted">No agent program that we know is on this machine.</p>;
  return (
    <div class="wide" tabIndex={0} role="group" aria-label="Hosts">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Host</th>
            <th scope="col">Its model</th>
            <th scope="col">Why, and what to do</th>
          </tr>
        </thead>
        <tbody>
          {value.hosts.map(({ id, title, standing, because, remedy, text }) => (
            <tr key={id}>
              <th scope="row">{title}</th>
              <td>
                <Standing standing={standing} />
              </td>
              <td>
                {because !== null && <p>{visible(because)}</p>}
                {remedy !== null && (
                  <p class="muted">
                    <Hint text={remedy} />
                  </p>
                )}
                {because === null && <span class="muted">reads: {visible(text)}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
