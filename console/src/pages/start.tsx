import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { AgentDefault, StartView } from '../lib/answers.ts';
import { change } from '../lib/api.ts';
import { notify, notifyFailure } from '../lib/notices.ts';
import { useSession } from '../lib/session.ts';
import { useRead } from '../lib/use-read.ts';
import { visible } from '../lib/visible-text.ts';
import { counted, grouped, joinNames, shortPath } from '../lib/words.ts';
import { AgentChecks } from '../parts/agent-checks.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { Link } from '../parts/link.tsx';
import { Trouble } from '../parts/trouble.tsx';

/** The agents and skills on this machine, and the first things to do about them. */
export function StartPage(): JSX.Element {
  const skills = useRead('skills', {}).value;
  const { value: view, failure } = useRead('start', skills === undefined ? undefined : {});
  const { hosts } = useSession();
  const count =
    skills === undefined ? undefined : skills.skills.filter(({ shadowedBy }) => shadowedBy === undefined).length;
  return (
    <div class="page start">
      <div class="section">
        <h1>
          {counted(hosts.length, 'agent')} and {count === undefined ? '… skills' : counted(count, 'skill')} on this
          machine
        </h1>
        <p class="lead muted">Opening this page changed nothing: Skillplane only read the folders below.</p>
      </div>
      {failure !== undefined && <Trouble failure={failure} />}
      <Steps view={view} />
      {view !== undefined && (
        <div class="half">
          <AgentsFound view={view} />
          <FoldersFound view={view} />
        </div>
      )}
    </div>
  );
}

function Steps({ view }: { readonly view: StartView | undefined }): JSX.Element {
  const { isReadOnly } = useSession();
  const chosen = useRead('agents/default', {}).value;
  const counts = useRead('skills', {}).value?.counts;
  const apart = view?.agents.filter(({ isConnected }) => !isConnected) ?? [];
  const problems = counts === undefined ? 0 : counts.broken + counts.unavailable;
  const full = view?.agents.filter(({ room }) => room !== undefined && room.needed > room.limit) ?? [];
  const titles = joinNames(apart.map(({ title }) => title));
  return (
    <section class="section">
      <h2>Three things to do</h2>
      <ol class="steps">
        {chosen !== undefined && <ChooseStep chosen={chosen} isReadOnly={isReadOnly} />}
        <Step
          title={titles === '' ? 'Your agents are connected' : `Connect ${titles}`}
          action={
            apart[0] !== undefined &&
            !isReadOnly && (
              <Link page="agents" params={{ tab: 'connections', connect: apart[0].id }} class="button">
                Review changes…
              </Link>
            )
          }
        >
          Adds the MCP server and the hook to their settings, so that they find skills by task and their use is
          recorded. You see every line first.
        </Step>
        <Step
          title={
            problems + full.length === 0 ? 'No problems found' : `Fix ${counted(problems + full.length, 'problem')}`
          }
          action={
            <Link
              page={problems > 0 ? 'skills' : 'health'}
              params={problems > 0 ? { show: 'problems' } : {}}
              class="button"
            >
              {problems > 0 ? 'Show problems' : 'Check everything'}
            </Link>
          }
        >
          {describeProblems(counts, full)}
        </Step>
      </ol>
      <p>
        <Link page="skills">Skip, and show the skills</Link>
      </p>
    </section>
  );
}

function describeProblems(
  counts: { readonly broken: number; readonly unavailable: number } | undefined,
  full: StartView['agents'],
): string {
  const { broken = 0, unavailable = 0 } = counts ?? {};
  const parts = [
    ...(broken > 0 ? [`${counted(broken, 'skill')} cannot be read.`] : []),
    ...(unavailable > 0
      ? [`${counted(unavailable, 'skill')} ${unavailable === 1 ? 'needs' : 'need'} a command that is not installed.`]
      : []),
    ...full.map(({ title }) => `The skill list of ${title} is too long.`),
  ];
  return parts.length === 0 ? 'Every skill can be read and has the commands that it needs.' : parts.join(' ');
}

interface StepProps {
  readonly title: string;
  readonly action: ComponentChildren;
  readonly children: ComponentChildren;
}

function Step({ title, action, children }: StepProps): JSX.Element {
  return (
    <li>
      <div>
        <h3>{title}</h3>
        <p>{children}</p>
      </div>
      <div class="row-actions">{action}</div>
    </li>
  );
}

function ChooseStep({
  chosen,
  isReadOnly,
}: {
  readonly chosen: AgentDefault;
  readonly isReadOnly: boolean;
}): JSX.Element {
  const [agents, setAgents] = useState<readonly string[]>(chosen.agents);
  return (
    <li>
      <div>
        <h3>Choose the agents for your skills</h3>
        <p>They get the skills that you install or write. You can change it for every skill.</p>
        <AgentChecks
          label="Agents for your skills"
          known={chosen.known}
          chosen={agents}
          onChoose={setAgents}
          isReadOnly={isReadOnly}
        />
      </div>
      <div class="row-actions">
        {!isReadOnly && (
          <button type="button" class="main" onClick={() => void save(agents, chosen)}>
            Save
          </button>
        )}
      </div>
    </li>
  );
}

async function save(agents: readonly string[] | 'found', before?: AgentDefault): Promise<void> {
  const answer = await change('agents/default', { agents });
  if (!answer.ok) {
    notifyFailure(answer.failure);
    return;
  }
  const { file, changes } = answer.value;
  notify({
    kind: 'done',
    text: before === undefined ? 'Undone.' : 'Saved. New skills go to these agents.',
    detail: `Changed \`agents\` in ${file}${changes === 0 ? '' : `; ${counted(changes, 'change')} in the folders of agents`}`,
    undo: before === undefined ? undefined : () => void save(before.isChosen ? before.agents : 'found'),
  });
}

function AgentsFound({ view: { agents, absent } }: { readonly view: StartView }): JSX.Element {
  return (
    <section class="section">
      <h2>Agents found</h2>
      {agents.length > 0 && (
        <DataTable label="Agents found" columns={['Agent', ['Listed', 'number'], 'Skill list']}>
          {agents.map(({ id, title, version, listed, room }) => {
            const isFull = room !== undefined && room.needed > room.limit;
            return (
              <tr key={id}>
                <th scope="row">
                  <b>{title}</b> <span class="muted">{visible(version ?? '')}</span>
                </th>
                <td class="number">{grouped(listed)}</td>
                <td class={isFull ? 'bad' : undefined}>
                  {room === undefined
                    ? 'no limit'
                    : `${isFull ? '! too long: ' : ''}${grouped(room.needed)} of ${grouped(room.limit)} ${room.unit}`}
                </td>
              </tr>
            );
          })}
        </DataTable>
      )}
      {absent.length > 0 && <p class="muted small-text">Not found: {absent.join(', ')}</p>}
    </section>
  );
}

function FoldersFound({ view: { folders } }: { readonly view: StartView }): JSX.Element {
  const { home } = useSession();
  return (
    <section class="section">
      <h2>Skills found</h2>
      <DataTable label="Skills found" columns={['Folder', ['Skills', 'number'], 'Read by']}>
        {folders.map(({ path, isBundled, skills, readBy }) => (
          <tr key={path}>
            <th scope="row" class={isBundled ? undefined : 'mono'}>
              {isBundled ? 'bundled with Skillplane' : visible(shortPath(path, home))}
            </th>
            <td class="number">{grouped(skills)}</td>
            <td class={readBy.length === 0 ? 'muted' : undefined}>
              {isBundled ? 'the MCP server' : readBy.length === 0 ? 'no agent' : readBy.join(', ')}
            </td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}
