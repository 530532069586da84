import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { WireFailure } from '../../../../src/http/wire.ts';
import type { ForeignRow, InstallLook } from '../../lib/answers.ts';
import { useSession } from '../../lib/session.ts';
import { useJob } from '../../lib/use-job.ts';
import { visible } from '../../lib/visible-text.ts';
import { counted, grouped, shortPath } from '../../lib/words.ts';
import { ProgressLine } from '../../parts/progress-line.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import { InstallPreview } from './install-preview.tsx';
import { tellInstalled } from './installed-changes.ts';

const MOST_NAMES = 3;

/** Offers to import the skills that other tools installed: by tool, with a look before. */
export function ImportPanel({ skills }: { readonly skills: readonly ForeignRow[] }): JSX.Element | null {
  const { home, isReadOnly } = useSession();
  const [skipped, setSkipped] = useState<readonly string[]>([]);
  const [look, setLook] = useState<InstallLook>();
  const [failure, setFailure] = useState<WireFailure>();
  const looking = useJob('import/look');
  const importing = useJob('import/apply');
  const running = looking.progress ?? importing.progress;
  if (skills.length === 0) return null;
  const tools = [...Map.groupBy(skills, ({ tool }) => tool)];
  const names = skills.filter(({ tool }) => !skipped.includes(tool)).map(({ name }) => name);
  const show = async (): Promise<void> => {
    setFailure(undefined);
    const done = await looking.start({ names });
    if (done.ok) setLook(done.value);
    else setFailure(done.failure);
  };
  const accept = async (shown: InstallLook): Promise<void> => {
    setFailure(undefined);
    const done = await importing.start({ names, digests: shown.skills.map(({ digest }) => digest) });
    if (!done.ok) {
      setFailure(done.failure);
      return;
    }
    setLook(undefined);
    tellInstalled(done.value);
  };
  return (
    <section class="section" aria-label="Import">
      <h2>Other tools installed {counted(skills.length, 'skill')} here</h2>
      <p class="muted lead">
        Import them to get updates, audits and one list of who has what. Their files stay where they are.
      </p>
      <table class="table tools">
        <thead>
          <tr>
            {!isReadOnly && (
              <th scope="col">
                <span class="unseen">Import</span>
              </th>
            )}
            <th scope="col">Tool</th>
            <th scope="col">Skills</th>
            <th scope="col" class="number">
              Number
            </th>
          </tr>
        </thead>
        <tbody>
          {tools.map(([tool, some]) => (
            <tr key={tool}>
              {!isReadOnly && (
                <td>
                  <input
                    type="checkbox"
                    aria-label={`Import skills of ${tool}`}
                    checked={!skipped.includes(tool)}
                    onChange={() => {
                      setLook(undefined);
                      setSkipped(skipped.includes(tool) ? skipped.filter((one) => one !== tool) : [...skipped, tool]);
                    }}
                  />
                </td>
              )}
              <th scope="row">
                <b>{tool}</b>
              </th>
              <td class="muted">
                {visible(describe(some))}, in <span class="mono">{visible(shortPath(parentOf(some), home))}</span>
              </td>
              <td class="number">{grouped(some.length)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {!isReadOnly && look === undefined && (
        <div class="row-actions">
          <button
            type="button"
            class="main"
            disabled={names.length === 0 || running !== undefined}
            onClick={() => void show()}
          >
            Import {counted(names.length, 'skill')}…
          </button>
        </div>
      )}
      {running !== undefined && (
        <ProgressLine
          progress={running}
          onCancel={looking.progress === undefined ? importing.cancel : looking.cancel}
        />
      )}
      {failure !== undefined && <Trouble failure={failure} />}
      {failure !== undefined && look !== undefined && (
        <div>
          <button type="button" onClick={() => void show()}>
            Review again
          </button>
        </div>
      )}
      {look !== undefined && <InstallPreview look={look} verb="Import" onAccept={() => void accept(look)} />}
    </section>
  );
}

function describe(skills: readonly ForeignRow[]): string {
  const named = skills.slice(0, MOST_NAMES).map(({ name }) => name);
  const rest = skills.length - named.length;
  return rest > 0 ? `${named.join(', ')} and ${grouped(rest)} more` : named.join(', ');
}

function parentOf([first]: readonly ForeignRow[]): string {
  return (first?.folder ?? '').split('/').slice(0, -1).join('/');
}
