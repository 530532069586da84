import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { WireFailure } from '../../../../src/http/wire.ts';
import type { InstallLook, Scope } from '../../lib/answers.ts';
import { route } from '../../lib/route.ts';
import { useJob } from '../../lib/use-job.ts';
import { useRead } from '../../lib/use-read.ts';
import { visible } from '../../lib/visible-text.ts';
import { counted } from '../../lib/words.ts';
import { AgentChecks } from '../../parts/agent-checks.tsx';
import { ProgressLine } from '../../parts/progress-line.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import { InstallPreview } from './install-preview.tsx';
import { tellInstalled } from './installed-changes.ts';

/** `isMain`: is there nothing on the page that comes before it? */
interface InstallPanelProps {
  readonly isMain: boolean;
}

/** Installs from an address: find skills, pick some, see what they contain, decide. Whatever fails, nothing that was typed is lost. */
export function InstallPanel({ isMain }: InstallPanelProps): JSX.Element {
  const [url, setUrl] = useState(route.value.params['url'] ?? '');
  const [scope, setScope] = useState<Scope>('user');
  const [picked, setPicked] = useState<readonly string[]>([]);
  const [look, setLook] = useState<InstallLook>();
  const [failure, setFailure] = useState<WireFailure>();
  const preset = useRead('agents/default', {}).value;
  const [wanted, setWanted] = useState<readonly string[]>();
  const agents = wanted ?? preset?.agents ?? [];
  const looking = useJob('install/look');
  const installing = useJob('install/apply');
  const running = looking.progress ?? installing.progress;
  const show = async (skills: readonly string[]): Promise<void> => {
    setFailure(undefined);
    const done = await looking.start({ url, scope, skills });
    if (done.ok) setLook(done.value);
    else setFailure(done.failure);
  };
  const install = async (shown: InstallLook): Promise<void> => {
    setFailure(undefined);
    const digests = shown.skills.map(({ digest }) => digest);
    const done = await installing.start({ url, scope, skills: picked, digests, agents: wanted });
    if (!done.ok) {
      setFailure(done.failure);
      return;
    }
    setLook(undefined);
    setUrl('');
    tellInstalled(done.value);
  };
  const restart = (): void => {
    setLook(undefined);
    setFailure(undefined);
  };
  return (
    <section class="section" aria-label="Install">
      <form
        class="install"
        onSubmit={(event) => {
          event.preventDefault();
          setPicked([]);
          void show([]);
        }}
      >
        <input
          aria-label="Repository, URL or folder"
          placeholder="owner/repo, a URL or a folder"
          value={url}
          required
          spellcheck={false}
          onInput={({ currentTarget }) => {
            setUrl(currentTarget.value);
            restart();
          }}
        />
        <select
          class="choice"
          aria-label="For whom"
          value={scope}
          onChange={({ currentTarget }) => {
            setScope(currentTarget.value === 'project' ? 'project' : 'user');
            restart();
          }}
        >
          <option value="user">for you</option>
          <option value="project">for this project</option>
        </select>
        <button
          type="submit"
          class={isMain && look === undefined ? 'main' : undefined}
          disabled={running !== undefined}
        >
          Find skills
        </button>
        <div class="options">
          <span class="muted">Give to</span>
          <AgentChecks label="Give to" known={preset?.known ?? []} chosen={agents} onChoose={setWanted} />
          <span class="muted">You review every skill before it is installed.</span>
        </div>
      </form>
      {running !== undefined && (
        <ProgressLine
          progress={running}
          onCancel={looking.progress === undefined ? installing.cancel : looking.cancel}
        />
      )}
      {failure !== undefined && <Trouble failure={failure} />}
      {failure !== undefined && look !== undefined && look.skills.length > 0 && (
        <div>
          <button type="button" onClick={() => void show(picked)}>
            Review again
          </button>
        </div>
      )}
      {look !== undefined && look.offered.length > 0 && look.skills.length === 0 && (
        <Offer look={look} picked={picked} onPick={setPicked} onShow={() => void show(picked)} />
      )}
      {look !== undefined && look.skills.length > 0 && (
        <InstallPreview look={look} verb="Install" onAccept={() => void install(look)} />
      )}
    </section>
  );
}

interface OfferProps {
  readonly look: InstallLook;
  readonly picked: readonly string[];
  readonly onPick: (paths: readonly string[]) => void;
  readonly onShow: () => void;
}

/** The skills at an address. The button stays in sight however many there are. */
function Offer({ look, picked, onPick, onShow }: OfferProps): JSX.Element {
  const toggle = (name: string): void =>
    onPick(picked.includes(name) ? picked.filter((one) => one !== name) : [...picked, name]);
  const isWhole = picked.length === look.offered.length;
  return (
    <fieldset class="offer">
      <legend>{counted(look.offered.length, 'skill')} found. Choose which to review.</legend>
      <div class="row-actions">
        <button type="button" class="main" disabled={picked.length === 0} onClick={onShow}>
          Review {counted(picked.length, 'skill')}
        </button>
        <button type="button" onClick={() => onPick(isWhole ? [] : look.offered.map(({ name }) => name))}>
          {isWhole ? 'Choose none' : 'Choose all'}
        </button>
      </div>
      <div class="offered-list">
        {look.offered.map(({ name, description }) => (
          <label key={name} class="offered">
            <input type="checkbox" checked={picked.includes(name)} onChange={() => toggle(name)} />{' '}
            <span class="mono">{visible(name)}</span> <span class="muted">{visible(description)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
