import type { JSX } from 'preact';

import { useKeys } from '../lib/keyboard.ts';
import { choose, route } from '../lib/route.ts';
import { useRead } from '../lib/use-read.ts';
import { Choice } from '../parts/choice.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { Connections } from './agents/connections.tsx';
import { Matrix } from './agents/matrix.tsx';
import { SyncPanel } from './agents/sync-panel.tsx';

/** Agent programs: what each sees, how to bring them in step, and how they are connected. */
export function AgentsPage(): JSX.Element {
  const { value, failure } = useRead('hosts', {});
  const { params } = route.value;
  useKeys({ p: () => document.querySelector<HTMLElement>('.sync button')?.focus() });
  const tab = params['tab'] ?? 'skills';
  if (failure !== undefined) return <Trouble failure={failure} />;
  if (value === undefined) return <div class="page" aria-busy="true" />;
  const present = value.hosts.filter(({ isPresent }) => isPresent);
  const absent = value.hosts.filter(({ isPresent }) => !isPresent).map(({ title }) => title);
  const connected = present.filter(({ connection }) => connection.hasServer || connection.hook !== undefined);
  return (
    <div class="page skills hosts">
      <div class="counts">
        <h1>Agents</h1>
        <span class="muted">
          {present.length === 0
            ? 'No agent program that we know is on this machine.'
            : `Not here: ${absent.join(', ') || 'none'}`}
        </span>
        {tab === 'skills' && present.length > 0 && (
          <Choice
            label="Which skills"
            all="all skills"
            value={params['only'] ?? ''}
            options={[
              ['different', 'seen by some, not by all'],
              ['lost', 'lost somewhere'],
              ['hidden', 'hidden somewhere'],
            ]}
            onChoose={(only) => choose({ only })}
          />
        )}
      </div>
      <Tabs
        label="About agents"
        tabs={[
          { id: 'skills', title: 'What they see' },
          { id: 'connections', title: 'Connections', count: connected.length },
        ]}
        current={tab}
        onChoose={(id) => choose({ tab: id === 'skills' ? undefined : id, connect: undefined })}
      />
      <div id="panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === 'connections' ? (
          <Connections hosts={present.length > 0 ? present : value.hosts} />
        ) : (
          <>
            {/* First for the Tab key, because the matrix is long; below it for the eye. */}
            <SyncPanel />
            {present.length > 0 && <Matrix view={value} present={present} />}
          </>
        )}
      </div>
    </div>
  );
}
