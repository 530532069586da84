import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { ListedVersion, VersionAnswer } from '../../../../../hub/src/http/wire.ts';
import { notify, notifyFailure } from '../../../lib/notices.ts';
import { visible } from '../../../lib/visible-text.ts';
import { since } from '../../../lib/words.ts';
import { DataTable } from '../../../parts/data-table.tsx';
import { changes, questions, type SkillName } from '../../lib/api.ts';
import { labelOf, lastWeeks, versionLabel } from '../../lib/labels.ts';
import { choose, route } from '../../lib/route.ts';
import { mayIn } from '../../lib/session.ts';
import { useAsk } from '../../lib/use-ask.ts';
import { HubLink } from '../../parts/hub-link.tsx';
import { VersionDiff } from '../../parts/version-diff.tsx';
import { VersionState } from '../../parts/version-state.tsx';

interface VersionsTabProps {
  readonly shown: VersionAnswer;
  readonly versions: readonly ListedVersion[];
  readonly tags: Readonly<Record<string, string>>;
}

/** All versions with their tags and use, and the differences from one to the one that is shown. */
export function VersionsTab({ shown, versions, tags }: VersionsTabProps): JSX.Element {
  const from = route.value.params['from'] ?? shown.before;
  const { value: usage } = useAsk(questions.usage(lastWeeks(12)[0] ?? '', shown.scope));
  const usesOf = (version: string) =>
    usage?.versions.find((one) => one.skill === shown.name && one.version === version);
  return (
    <div class="stack">
      <DataTable
        label="Versions"
        columns={['Version', 'Tags', 'State', 'Published', ['Uses in 12 weeks', 'number'], ['Compare', 'unseen']]}
      >
        {versions.map((version) => (
          <tr key={version.version}>
            <th scope="row">
              <HubLink
                page="skill"
                params={{ of: labelOf(shown), v: version.version, tab: 'versions' }}
                class="mono"
                current={version.version === shown.version}
              >
                {version.version}
              </HubLink>
            </th>
            <td>
              <TagList skill={shown} version={version.version} tags={tags} />
            </td>
            <td>
              <VersionState version={version} />
            </td>
            <td>
              {since(version.publishedAt)} by <bdi>{visible(version.publishedBy)}</bdi>
            </td>
            <td class="number">{describeUses(usesOf(version.version))}</td>
            <td>
              {version.version !== shown.version && (
                <button
                  type="button"
                  aria-pressed={version.version === from}
                  aria-label={`Compare ${shown.version} with ${version.version}`}
                  onClick={() => choose({ from: version.version })}
                >
                  Compare
                </button>
              )}
            </td>
          </tr>
        ))}
      </DataTable>
      {mayIn('publisher', shown.scope) && shown.state === 'published' && <NewTag version={shown} />}
      {from !== null && from !== '' && (
        <section class="stack" aria-label="Differences">
          <h2>
            From {from} to {shown.version}
          </h2>
          <VersionDiff name={shown} from={from} />
        </section>
      )}
    </div>
  );
}

function describeUses(uses: { readonly count: number; readonly people: number } | undefined): string {
  return uses === undefined ? '' : `${uses.count} by ${uses.people}`;
}

interface TagListProps {
  readonly skill: SkillName;
  readonly version: string;
  readonly tags: Readonly<Record<string, string>>;
}

function TagList({ skill, version, tags }: TagListProps): JSX.Element {
  const own = Object.entries(tags).flatMap(([tag, tagged]) => (tagged === version ? [tag] : []));
  const remove = async (tag: string): Promise<void> => {
    const answer = await changes.untag(skill, tag);
    if (!answer.ok) notifyFailure(answer.failure);
    else
      notify({
        kind: 'done',
        text: `Removed the tag ${tag} from ${labelOf(skill)}.`,
        undo: () => void setTag({ ...skill, version }, tag),
      });
  };
  return (
    <span class="badges">
      {own.map((tag) => (
        <span key={tag} class="badge">
          {tag}
          {mayIn('publisher', skill.scope) && (
            <button type="button" class="plain" aria-label={`Remove the tag ${tag}`} onClick={() => void remove(tag)}>
              ✕
            </button>
          )}
        </span>
      ))}
    </span>
  );
}

async function setTag(version: SkillName & { readonly version: string }, tag: string): Promise<void> {
  const answer = await changes.tag(version, tag);
  if (answer.ok) notify({ kind: 'done', text: `${tag} is now ${versionLabel(version)}.` });
  else notifyFailure(answer.failure);
}

function NewTag({ version }: { readonly version: VersionAnswer }): JSX.Element {
  const [tag, setName] = useState('');
  return (
    <form
      class="row-of-buttons new-tag"
      onSubmit={(event) => {
        event.preventDefault();
        void setTag(version, tag.trim());
        setName('');
      }}
    >
      <label for="new-tag">Move a tag to {version.version}</label>
      <input
        id="new-tag"
        type="text"
        autocomplete="off"
        placeholder="beta"
        maxLength={32}
        value={tag}
        onInput={({ currentTarget }) => setName(currentTarget.value)}
      />
      <button type="submit" disabled={tag.trim() === ''}>
        Move it
      </button>
    </form>
  );
}
