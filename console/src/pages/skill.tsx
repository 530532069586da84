import type { JSX } from 'preact';

import type { SkillDetail } from '../lib/answers.ts';
import { useKeys } from '../lib/keyboard.ts';
import { choose, route } from '../lib/route.ts';
import { useSession } from '../lib/session.ts';
import { useRead } from '../lib/use-read.ts';
import { visible } from '../lib/visible-text.ts';
import { counted, joinNames, shortPath } from '../lib/words.ts';
import { Hint } from '../parts/hint.tsx';
import { Next } from '../parts/next.tsx';
import { StateMark } from '../parts/state-mark.tsx';
import { Tabs, type Tab } from '../parts/tabs.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { AgentsPart } from './skill/agents-part.tsx';
import { FilesTab } from './skill/files-tab.tsx';
import { InstructionsTab } from './skill/instructions-tab.tsx';
import { Said } from './skill/said.tsx';
import { SkillActions } from './skill/skill-actions.tsx';
import { Summary } from './skill/summary.tsx';
import { TrustTab } from './skill/trust-tab.tsx';
import { UsageTab } from './skill/usage-tab.tsx';
import { useSkillChanges } from './skill/use-skill-changes.ts';
import { VersionsTab } from './skill/versions-tab.tsx';

/** One skill: who has it, what matters about it in a few lines, what it says, and what can be done with it. */
export function SkillPage(): JSX.Element {
  const { params } = route.value;
  const { name = '' } = params;
  const { value: detail, failure } = useRead('skill', { name });
  if (failure !== undefined)
    return (
      <div class="page">
        <h1>{visible(name)}</h1>
        <Trouble failure={failure} />
      </div>
    );
  if (detail === undefined) return <div class="page" aria-busy="true" />;
  return <Detail detail={detail} tab={params['tab'] ?? 'instructions'} />;
}

function Detail({ detail, tab }: { readonly detail: SkillDetail; readonly tab: string }): JSX.Element {
  const { row } = detail;
  const { home, isReadOnly } = useSession();
  const { value: seen, failure } = useRead('skill/agents', { name: row.name });
  const { facts, saying, turn, enableFor, give, dismiss } = useSkillChanges(row.name, seen?.agents);
  const to = row.state === 'disabled' ? 'enabled' : 'disabled';
  useKeys({
    e: () => (isReadOnly ? undefined : void turn(to)),
    t: () => choose({ tab: 'trust' }),
  });
  return (
    <div class="page skill">
      <div class="head">
        <h1 class="mono">{visible(row.name)}</h1>
        <span class={STATE_COLORS[row.state]}>
          <StateMark state={row.state} /> <span aria-hidden="true">{row.state}</span>
        </span>
        {detail.version !== undefined && <span class="muted">{visible(detail.version)}</span>}
        {row.isPinned && <span class="badge">pinned</span>}
        {row.isHidden && <span class="badge">hidden from models</span>}
        {detail.isByAgent && <span class="badge">written by an agent</span>}
        {row.blockedBecause !== undefined && <span class="badge bad">blocked</span>}
        <SkillActions detail={detail} onTurn={() => void turn(to)} />
      </div>
      {row.missing === undefined ? (
        row.reasons?.map((reason) => (
          <p key={reason} class={STATE_COLORS[row.state]}>
            <Hint text={reason} />
          </p>
        ))
      ) : (
        <Missing commands={row.missing} />
      )}
      {row.next !== undefined && <Next step={row.next} />}
      <p class="lead">
        <bdi>{visible(detail.description)}</bdi>
      </p>
      <p class="muted facts">
        <span class="mono">{visible(shortPath(detail.dir, home))}</span>
        {detail.origin !== undefined && (
          <span class="mono">{visible([detail.origin.address, detail.origin.choice].filter(Boolean).join(' '))}</span>
        )}
        <span>{counted(detail.tokens, 'token')}</span>
        <span>{counted(detail.files.length, 'file')}</span>
        {facts !== undefined && facts.length > 0 && (
          <span>
            in {facts.filter(({ has }) => has).length} of {counted(facts.length, 'agent')}
          </span>
        )}
      </p>
      {saying !== undefined && <Said saying={saying} name={row.name} onDismiss={dismiss} />}
      {failure !== undefined && <Trouble failure={failure} />}
      <div class="with-summary">
        {facts === undefined ? (
          <div class="skill-agents" aria-busy="true" />
        ) : (
          <AgentsPart
            detail={detail}
            facts={facts}
            absent={seen?.absent ?? []}
            onGive={(fact, wish) => void (row.state === 'disabled' ? enableFor(fact) : give(fact, wish))}
          />
        )}
        <Summary detail={detail} />
        <div class="parts">
          <Tabs label="About this skill" tabs={tabsOf(detail)} current={tab} onChoose={(id) => choose({ tab: id })} />
          <div id="panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
            <Panel detail={detail} tab={tab} />
          </div>
        </div>
      </div>
    </div>
  );
}

const STATE_COLORS = {
  enabled: 'good',
  disabled: 'muted',
  shadowed: 'muted',
  unavailable: 'warn',
  broken: 'bad',
} as const;

/** Tells a person to install the commands that a skill needs: we install no programs. */
function Missing({ commands }: { readonly commands: readonly string[] }): JSX.Element {
  const names = visible(joinNames(commands));
  const are = commands.length === 1 ? 'is' : 'are';
  return (
    <p>
      <span class="warn">
        Needs {names}, but {names} {are} not installed.
      </span>{' '}
      Skillplane installs no programs: install {names} yourself, with the package manager of your system for example.
      The skill works as soon as {commands.length === 1 ? 'it is' : 'they are'} found in your PATH.
    </p>
  );
}

function tabsOf({ files, problems, origin }: SkillDetail): readonly Tab[] {
  return [
    { id: 'instructions', title: 'Instructions', count: problems.length },
    { id: 'files', title: 'Files', count: files.length },
    { id: 'trust', title: 'Trust and audit' },
    { id: 'usage', title: 'Usage' },
    ...(origin === undefined ? [] : [{ id: 'versions', title: 'Versions' }]),
  ];
}

function Panel({ detail, tab }: { readonly detail: SkillDetail; readonly tab: string }): JSX.Element {
  const { name } = detail.row;
  switch (tab) {
    case 'files':
      return <FilesTab detail={detail} />;
    case 'trust':
      return <TrustTab name={name} />;
    case 'usage':
      return <UsageTab name={name} />;
    case 'versions':
      return <VersionsTab name={name} />;
    default:
      return <InstructionsTab detail={detail} />;
  }
}
