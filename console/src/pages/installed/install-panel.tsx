import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { InstallLook, Scope } from '../../lib/answers.ts';
import { notify, notifyFailure } from '../../lib/notices.ts';
import { useSession } from '../../lib/session.ts';
import { useJob } from '../../lib/use-job.ts';
import { visible } from '../../lib/visible-text.ts';
import { counted } from '../../lib/words.ts';
import { ProgressLine } from '../../parts/progress-line.tsx';

/** Installs from an address: look, pick, see what it brings, decide. */
export function InstallPanel(): JSX.Element {
  const [url, setUrl] = useState('');
  const [scope, setScope] = useState<Scope>('user');
  const [picked, setPicked] = useState<readonly string[]>([]);
  const [look, setLook] = useState<InstallLook>();
  const looking = useJob('install/look');
  const installing = useJob('install/apply');
  const running = looking.progress ?? installing.progress;
  const show = async (skills: readonly string[]): Promise<void> => {
    const done = await looking.start({ url, scope, skills });
    if (done.ok) setLook(done.value);
    else notifyFailure(done.failure);
  };
  const install = async (shown: InstallLook): Promise<void> => {
    const digests = shown.skills.map(({ digest }) => digest);
    const done = await installing.start({ url, scope, skills: picked, digests });
    if (!done.ok) {
      notifyFailure(done.failure);
      return;
    }
    setLook(undefined);
    notify({
      kind: 'done',
      text: `Installed ${done.value.installed.join(', ')}.`,
      detail: 'Nothing of it runs until you trust it.',
    });
  };
  return (
    <section class="stack" aria-label="Install">
      <h2>Install</h2>
      <form
        class="row-of-buttons field"
        onSubmit={(event) => {
          event.preventDefault();
          setPicked([]);
          void show([]);
        }}
      >
        <input
          aria-label="Address"
          placeholder="owner/repo, a git address, or a directory"
          value={url}
          onInput={({ currentTarget }) => {
            setUrl(currentTarget.value);
            setLook(undefined);
          }}
        />
        <select
          class="choice"
          aria-label="For whom"
          value={scope}
          onChange={({ currentTarget }) => {
            setScope(currentTarget.value === 'project' ? 'project' : 'user');
            setLook(undefined);
          }}
        >
          <option value="user">for you</option>
          <option value="project">into this project</option>
        </select>
        <button type="submit" disabled={url.trim() === '' || running !== undefined}>
          Look
        </button>
        {running !== undefined && (
          <ProgressLine
            progress={running}
            onCancel={looking.progress === undefined ? installing.cancel : looking.cancel}
          />
        )}
      </form>
      {look !== undefined && look.offered.length > 0 && look.skills.length === 0 && (
        <Offer look={look} picked={picked} onPick={setPicked} onShow={() => void show(picked)} />
      )}
      {look !== undefined && look.skills.length > 0 && <Preview look={look} onInstall={() => void install(look)} />}
    </section>
  );
}

interface OfferProps {
  readonly look: InstallLook;
  readonly picked: readonly string[];
  readonly onPick: (paths: readonly string[]) => void;
  readonly onShow: () => void;
}

function Offer({ look, picked, onPick, onShow }: OfferProps): JSX.Element {
  const toggle = (name: string): void =>
    onPick(picked.includes(name) ? picked.filter((one) => one !== name) : [...picked, name]);
  return (
    <fieldset class="stack">
      <legend>{counted(look.offered.length, 'skill')} there. Pick those to look at.</legend>
      {look.offered.map(({ name, description }) => (
        <label key={name} class="offered">
          <input type="checkbox" checked={picked.includes(name)} onChange={() => toggle(name)} />{' '}
          <span class="mono">{visible(name)}</span> <span class="muted">{visible(description)}</span>
        </label>
      ))}
      <div>
        <button type="button" disabled={picked.length === 0} onClick={onShow}>
          Look at {counted(picked.length, 'skill')}
        </button>
      </div>
    </fieldset>
  );
}

function Preview({ look, onInstall }: { readonly look: InstallLook; readonly onInstall: () => void }): JSX.Element {
  const { isReadOnly } = useSession();
  const isRefused = look.skills.some((skill) => skill.isRefused);
  return (
    <div class="paper stack">
      <p class="muted mono">
        {visible(look.from ?? '')} {look.choice}
      </p>
      {look.skills.map(({ name, description, files, verdict, findings, conflict }) => (
        <div key={name} class="stack">
          <p>
            <strong class="mono">{visible(name)}</strong> {visible(description)}{' '}
            <span class="muted">
              {counted(files, 'file')} · audit: {verdict}
            </span>
          </p>
          {conflict !== undefined && <p class="warn">{visible(conflict)}</p>}
          {findings.map((line) => (
            <pre key={line} tabIndex={0}>
              {visible(line)}
            </pre>
          ))}
        </div>
      ))}
      {look.notices.map((text) => (
        <p key={text} class="muted">
          {visible(text)}
        </p>
      ))}
      {look.skipped.map((text) => (
        <p key={text} class="warn">
          Skipped {visible(text)}
        </p>
      ))}
      <div>
        <button type="button" class="main" disabled={isReadOnly} onClick={onInstall}>
          {isRefused ? 'Accept the findings and install' : `Install ${counted(look.skills.length, 'skill')}`}
        </button>
      </div>
    </div>
  );
}
