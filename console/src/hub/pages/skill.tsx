import type { JSX } from 'preact';

import type { FileAnswer, ListedVersion, VersionAnswer } from '../../../../hub/src/http/wire.ts';
import { visible } from '../../lib/visible-text.ts';
import { counted, since, sized } from '../../lib/words.ts';
import { FileList } from '../../parts/file-list.tsx';
import { Tabs, type Tab } from '../../parts/tabs.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import { questions, type SkillName } from '../lib/api.ts';
import { labelOf, parseLabel } from '../lib/labels.ts';
import { choose, route } from '../lib/route.ts';
import { mayIn } from '../lib/session.ts';
import { useAsk } from '../lib/use-ask.ts';
import { Decision } from '../parts/decision.tsx';
import { FileView, Instructions } from '../parts/file-view.tsx';
import { FindingsInPlace, toNote } from '../parts/findings-in-place.tsx';
import { VersionState } from '../parts/version-state.tsx';
import { HowToGet } from './skill/how-to-get.tsx';
import { SkillUse } from './skill/skill-use.tsx';
import { VersionsTab } from './skill/versions-tab.tsx';

/** One skill: what a version says and brings, its versions and their differences, and who uses them. */
export function HubSkillPage(): JSX.Element {
  const { of = '', v: wanted } = route.value.params;
  const skill = parseLabel(of);
  const mayPublish = mayIn('publisher', skill.scope);
  const served = useAsk(questions.skill(skill));
  const every = useAsk(mayPublish ? questions.versions(skill) : undefined);
  // A skill of which every version waits exists for publishers and reviewers only.
  const versions: readonly ListedVersion[] = every.value?.versions.toReversed() ?? served.value?.versions ?? [];
  const version = wanted ?? served.value?.version ?? versions[0]?.version;
  const failure = mayPublish && every.value !== undefined ? undefined : served.failure;
  if (failure !== undefined)
    return (
      <div class="page">
        <h1 class="mono">{visible(of)}</h1>
        <Trouble failure={failure} />
      </div>
    );
  if (version === undefined) return <div class="page" aria-busy="true" />;
  return <OneVersion skill={skill} version={version} versions={versions} tags={served.value?.tags ?? {}} />;
}

interface OneVersionProps {
  readonly skill: SkillName;
  readonly version: string;
  readonly versions: readonly ListedVersion[];
  readonly tags: Readonly<Record<string, string>>;
}

function OneVersion({ skill, version, versions, tags }: OneVersionProps): JSX.Element {
  const { value, failure } = useAsk(questions.version({ ...skill, version }));
  const tab = route.value.params['tab'] ?? 'instructions';
  const heading = (
    <h1 class="mono">
      <bdi>{visible(labelOf(skill))}</bdi>
    </h1>
  );
  if (failure !== undefined)
    return (
      <div class="page">
        {heading}
        <Trouble failure={failure} />
      </div>
    );
  if (value === undefined) return <div class="page" aria-busy="true" />;
  const shown = value.version;
  return (
    <div class="page skill">
      <div class="head">
        {heading}
        <select
          class="choice"
          aria-label="Version"
          value={shown.version}
          onChange={({ currentTarget }) => choose({ v: currentTarget.value, from: '' })}
        >
          {versions.map(({ version: one, state }) => (
            <option key={one} value={one}>
              {one}
              {state === 'published' ? '' : ` (${state})`}
            </option>
          ))}
        </select>
        {tagsOf(shown.version, tags).map((tag) => (
          <span key={tag} class="badge">
            {tag}
          </span>
        ))}
        <VersionState version={shown} />
      </div>
      <p class="lead">
        <bdi>{visible(shown.description)}</bdi>
      </p>
      <div class="muted facts">
        <span>
          published by <bdi>{visible(shown.publishedBy)}</bdi> {since(shown.publishedAt)}
        </span>
        {shown.decidedBy !== null && (
          <span>
            decided by <bdi>{visible(shown.decidedBy)}</bdi>
          </span>
        )}
        <span>{counted(value.files.length, 'file')}</span>
        <span>{sized(value.files.reduce((sum, { size }) => sum + size, 0))}</span>
        <Decision key={shown.version} version={shown} />
      </div>
      <Tabs
        label="About this skill"
        tabs={tabsOf(shown, value.files, versions)}
        current={tab}
        onChoose={(id) => choose({ tab: id })}
      />
      <div id="panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        <Panel tab={tab} version={shown} files={value.files} versions={versions} tags={tags} />
      </div>
    </div>
  );
}

export function tagsOf(version: string, tags: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(tags)
    .filter(([, tagged]) => tagged === version)
    .map(([tag]) => tag);
}

function tabsOf(
  { findings }: VersionAnswer,
  files: readonly FileAnswer[],
  versions: readonly ListedVersion[],
): readonly Tab[] {
  return [
    { id: 'instructions', title: 'Instructions' },
    { id: 'files', title: 'Files', count: files.length },
    { id: 'audit', title: 'Audit', count: findings.length },
    { id: 'versions', title: 'Versions', count: versions.length },
    { id: 'use', title: 'Usage' },
  ];
}

interface PanelProps extends Pick<OneVersionProps, 'versions' | 'tags'> {
  readonly tab: string;
  readonly version: VersionAnswer;
  readonly files: readonly FileAnswer[];
}

function Panel({ tab, version, files, versions, tags }: PanelProps): JSX.Element {
  const openFile = (file: string): void => choose({ tab: 'files', file, view: undefined });
  switch (tab) {
    case 'files':
      return <Files version={version} files={files} />;
    case 'audit':
      return <FindingsInPlace name={version} findings={version.findings} />;
    case 'versions':
      return <VersionsTab shown={version} versions={versions} tags={tags} />;
    case 'use':
      return <SkillUse skill={version} />;
    default:
      return (
        <div class="columns">
          <Instructions name={version} onOpenFile={openFile} />
          <HowToGet version={version} />
        </div>
      );
  }
}

function Files({ version, files }: Pick<PanelProps, 'version' | 'files'>): JSX.Element {
  const { file: chosen, view } = route.value.params;
  const path = chosen ?? files[0]?.path;
  const openFile = (file: string): void => choose({ file, view: undefined });
  return (
    <div class="columns files">
      <FileList
        files={files.map((file) => ({ ...file, note: file.executable ? 'executable' : undefined }))}
        current={path}
        onChoose={openFile}
      />
      {path !== undefined && (
        <FileView
          name={version}
          path={path}
          notes={version.findings.filter(({ file }) => file === path).flatMap(toNote)}
          view={view}
          onView={(wanted) => choose({ view: wanted })}
          onOpenFile={openFile}
        />
      )}
    </div>
  );
}
