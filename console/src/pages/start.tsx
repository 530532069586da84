import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { AgentDefault, StartView } from '../lib/answers.ts';
import { change } from '../lib/api.ts';
import { notify, notifyFailure } from '../lib/notices.ts';
import { useSession } from '../lib/session.ts';
import type { SkillProblem } from '../lib/skill-problem.ts';
import { useProblems, type Problems } from '../lib/use-problems.ts';
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
  const problems = useProblems();
  const apart = view?.agents.filter(({ isConnected }) => !isConnected) ?? [];
  const titles = joinNames(apart.map(({ title }) => title));
  const { count = 0 } = problems;
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
            problems.count === undefined
              ? 'Looking for problems…'
              : count === 0
                ? 'No problems found'
                : `Fix ${counted(count, 'problem')}`
          }
          action={
            <Link page="health" class="button">
              {count > 0 ? 'Show problems' : 'Check everything'}
            </Link>
          }
        >
          {count === 0 ? 'Every skill can be read and has the commands that it needs.' : describeProblems(problems)}
        </Step>
      </ol>
      <p>
        <Link page="skills">Skip, and show the skills</Link>
      </p>
    </section>
  );
}

/** How a problem is said of one skill, and of several. */
const SAID: Readonly<Record<SkillProblem['state'], readonly [one: string, many: string]>> = {
  broken: ['cannot be read', 'cannot be read'],
  still: ['is disabled and still listed by an agent', 'are disabled and still listed by an agent'],
  blocked: ['is blocked by its audit', 'are blocked by their audits'],
  unavailable: ['needs a command that is not installed', 'need a command that is not installed'],
  missed: ['is not visible to an agent', 'are not visible to an agent'],
  flawed: ['has a flaw', 'have a flaw'],
  copied: ['has several copies', 'have several copies'],
};

function describeProblems({ skills, fullLists }: Problems): string {
  const groups = Map.groupBy(skills, ([, { state }]) => state);
  return [
    ...fullLists.map(({ title }) => `The skill list of ${title} is too long.`),
    ...[...groups].map(([state, some]) => {
      const [one, many] = SAID[state];
      return some.length === 1 ? `${some[0]?.[0].name ?? ''} ${one}.` : `${counted(some.length, 'skill')} ${many}.`;
    }),
  ]
    .map(visible)
    .join(' ');
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
  // A choice that another program makes meanwhile shows, unless something was chosen here.
  const [wanted, setWanted] = useState<readonly string[]>();
  const agents = wanted ?? chosen.agents;
  const keep = async (): Promise<void> => {
    if (await save(agents, chosen)) setWanted(undefined);
  };
  return (
    <li>
      <div>
        <h3>Choose the agents for your skills</h3>
        <p>They get the skills that you install or write. You can change it for every skill.</p>
        <AgentChecks
          label="Agents for your skills"
          known={chosen.known}
          chosen={agents}
          onChoose={setWanted}
          isReadOnly={isReadOnly}
        />
      </div>
      <div class="row-actions">
        {!isReadOnly && (
          <button type="button" class="main" onClick={() => void keep()}>
            Save
          </button>
        )}
      </div>
    </li>
  );
}

/** False if it could not be saved. */
async function save(agents: readonly string[] | 'found', before?: AgentDefault): Promise<boolean> {
  const answer = await change('agents/default', { agents });
  if (!answer.ok) {
    notifyFailure(answer.failure);
    return false;
  }
  const { file, changes } = answer.value;
  notify({
    kind: 'done',
    text: before === undefined ? 'Undone.' : 'Saved. New skills go to these agents.',
    detail: `Changed \`agents\` in ${file}${changes === 0 ? '' : `; ${counted(changes, 'change')} in the folders of agents`}`,
    undo: before === undefined ? undefined : () => void save(before.isChosen ? before.agents : 'found'),
  });
  return true;
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
