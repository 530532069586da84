import type { ComponentChildren, JSX } from 'preact';

import type { SkillDetail, TrustView } from '../../lib/answers.ts';
import { useAgentTitle, useSession } from '../../lib/session.ts';
import { useRead } from '../../lib/use-read.ts';
import { visible } from '../../lib/visible-text.ts';
import { counted, since } from '../../lib/words.ts';
import { kindOf, strengthOf } from '../../parts/findings.tsx';
import { Link } from '../../parts/link.tsx';
import { Sparkline } from '../../parts/sparkline.tsx';
import { Copies } from './copies.tsx';
import { grantTrust } from './trusting.ts';

/** Trust, audit, use and files of a skill in a few lines each; the tabs have the rest. */
export function Summary({ detail }: { readonly detail: SkillDetail }): JSX.Element {
  const { name, state } = detail.row;
  const { value: trust, failure } = useRead('skill/trust', state === 'broken' ? undefined : { name });
  return (
    <aside class="summary" aria-label="Summary">
      <Copies detail={detail} />
      {state !== 'broken' && failure === undefined && (
        <>
          <Trust name={name} trust={trust} />
          <Audit name={name} trust={trust} />
        </>
      )}
      <Usage name={name} />
      <Files detail={detail} />
      <Details detail={detail} />
    </aside>
  );
}

interface PartProps {
  readonly name: string;
  readonly title: string;
  /** Where there is more. */
  readonly tab: string;
  readonly more: string | undefined;
  readonly children: ComponentChildren;
}

function Part({ name, title, tab, more, children }: PartProps): JSX.Element {
  return (
    <div>
      <h3>
        {title}
        {more !== undefined && (
          <Link page="skill" params={{ name, tab }}>
            {more}
            <span class="unseen"> ({title})</span>
          </Link>
        )}
      </h3>
      {children}
    </div>
  );
}

interface TrustProps {
  readonly name: string;
  readonly trust: TrustView | undefined;
}

const MOST_PATHS = 4;

function Trust({ name, trust }: TrustProps): JSX.Element {
  const { isReadOnly } = useSession();
  const brings = trust === undefined ? [] : [...trust.scripts, ...trust.toolsets];
  const more = brings.length === 0 ? undefined : 'Review';
  return (
    <Part name={name} title="Trust" tab="trust" more={more}>
      {trust === undefined ? (
        <p class="muted">Reading its files…</p>
      ) : trust.because !== undefined ? (
        <p>
          <span class="good">
            <span aria-hidden="true">✓</span> trusted
          </span>{' '}
          <span class="muted">{visible(trust.because)}</span>
        </p>
      ) : brings.length === 0 ? (
        <p>It has nothing to run.</p>
      ) : (
        <>
          <p class="warn">
            <span aria-hidden="true">!</span> not trusted
          </p>
          <p>If you trust it, agents can run these until a file changes:</p>
          <ul class="mono">
            {brings.slice(0, MOST_PATHS).map((path) => (
              <li key={path}>{visible(path)}</li>
            ))}
            {brings.length > MOST_PATHS && <li class="muted">and {brings.length - MOST_PATHS} more</li>}
          </ul>
          {/* Findings that refuse it are accepted where they are shown. */}
          {!isReadOnly && trust.findings.every(({ isRefused }) => !isRefused) && (
            <p class="row-actions">
              <button type="button" class="small" onClick={() => void grantTrust(name, trust.digest, [])}>
                Trust this version
              </button>
            </p>
          )}
        </>
      )}
    </Part>
  );
}

function Audit({ name, trust }: TrustProps): JSX.Element {
  const findings = trust?.findings ?? [];
  const [worst] = findings;
  return (
    <Part
      name={name}
      title="Audit"
      tab="trust"
      more={findings.length === 0 ? undefined : counted(findings.length, 'finding')}
    >
      {trust?.withheld !== undefined && (
        <p class="bad">
          <span aria-hidden="true">✕</span> blocked: {visible(trust.withheld.message)}
        </p>
      )}
      {trust === undefined ? (
        <p class="muted">Reading its files…</p>
      ) : worst === undefined ? (
        <p>
          <span class="good" aria-hidden="true">
            ✓
          </span>{' '}
          no findings
        </p>
      ) : (
        <p>
          <strong class={kindOf(worst)}>{strengthOf(worst)}</strong> · <span class="mono">{visible(worst.place)}</span>{' '}
          {visible(worst.name)}
        </p>
      )}
      {trust !== undefined && <p class="muted">Every file was read, nothing was run.</p>}
    </Part>
  );
}

function Usage({ name }: { readonly name: string }): JSX.Element {
  const { value } = useRead('skill/usage', { name });
  const titleOf = useAgentTitle();
  const use = value?.use;
  return (
    <Part name={name} title="Usage" tab="usage" more={use === undefined ? undefined : 'All'}>
      {value === undefined ? (
        <p>&nbsp;</p>
      ) : use === undefined || use.uses === 0 ? (
        <p>Not used in the last ninety days.</p>
      ) : (
        <>
          <p>
            <Sparkline values={use.series} label={`Uses of ${visible(name)} over ninety days`} />{' '}
            {counted(use.uses, 'use')} in ninety days, last {since(use.lastUsed)}
          </p>
          <p class="muted">
            {Object.entries(use.agents)
              .sort(([, a], [, b]) => b - a)
              .map(([agent, count]) => `${count} by ${titleOf(agent)}`)
              .join(', ')}
          </p>
        </>
      )}
    </Part>
  );
}

const MOST_FILES = 6;

function Files({ detail: { row, files } }: { readonly detail: SkillDetail }): JSX.Element {
  const folders = Map.groupBy(files, ({ path }) => (path.includes('/') ? `${path.split('/')[0]}/` : path));
  const lines = [...folders].map(([path, inside]) => {
    const isAlone = inside.length === 1;
    return { path: isAlone ? (inside[0]?.path ?? path) : path, count: isAlone ? '' : counted(inside.length, 'file') };
  });
  return (
    <Part name={row.name} title="Files" tab="files" more={String(files.length)}>
      <ul class="mono">
        {lines.slice(0, MOST_FILES).map(({ path, count }) => (
          <li key={path}>
            {visible(path)} <span class="muted">{count}</span>
          </li>
        ))}
        {lines.length > MOST_FILES && <li class="muted">and {lines.length - MOST_FILES} more</li>}
      </ul>
    </Part>
  );
}

/** The commands that it needs, the triggers, and fields that only people read. */
function Details({ detail }: { readonly detail: SkillDetail }): JSX.Element {
  const { others, requires, triggers, allowedTools, license, compatibility } = detail;
  return (
    <div>
      <h3>Details</h3>
      {others.length === 0 && <p>The only copy of its name.</p>}
      {requires.length === 0 ? (
        <p>Needs no commands.</p>
      ) : (
        <p>
          Needs{' '}
          {requires.map(({ command, isFound }) => (
            <span key={command} class={isFound ? '' : 'warn'}>
              <code>{visible(command)}</code> ({isFound ? 'found' : 'missing'}){' '}
            </span>
          ))}
        </p>
      )}
      {compatibility !== undefined && <p>{visible(compatibility)}</p>}
      {triggers.length === 0 && <p>No triggers: models choose it by its description.</p>}
      {triggers.map(({ kind, texts }) => (
        <p key={kind}>
          <span class="muted">{kind}:</span> <bdi>{visible(texts.join(', '))}</bdi>
        </p>
      ))}
      {allowedTools.length > 0 && (
        <p>
          <span class="muted">Allowed tools:</span> <span class="mono">{visible(allowedTools.join(' '))}</span>
        </p>
      )}
      {license !== undefined && (
        <p>
          <span class="muted">License:</span> {visible(license)}
        </p>
      )}
    </div>
  );
}
