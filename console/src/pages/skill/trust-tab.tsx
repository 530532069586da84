import type { JSX } from 'preact';

import type { TrustView } from '../../lib/answers.ts';
import { useSession } from '../../lib/session.ts';
import { useRead } from '../../lib/use-read.ts';
import { visible } from '../../lib/visible-text.ts';
import { counted } from '../../lib/words.ts';
import { Findings } from '../../parts/findings.tsx';
import { Link } from '../../parts/link.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import { grantTrust, revokeTrust } from './trusting.ts';

/** Findings of the audit, everything that trust would allow, and the decision. */
export function TrustTab({ name }: { readonly name: string }): JSX.Element {
  const { value: trust, failure } = useRead('skill/trust', { name });
  if (failure !== undefined) return <Trouble failure={failure} />;
  if (trust === undefined) return <p class="muted">Auditing…</p>;
  return (
    <div class="stack">
      {trust.withheld !== undefined && (
        <div class="trouble">
          <p>{visible(trust.withheld.message)}</p>
        </div>
      )}
      <section class="stack">
        <h2>Audit: {trust.verdict}</h2>
        <Findings
          findings={trust.findings}
          renderPlace={({ file, line }, text) => (
            <Link page="skill" params={{ name, tab: 'files', file, line: line?.toString() }} class="mono">
              {text}
            </Link>
          )}
        />
        <p class="muted">
          {mentions('Servers', trust.hosts)} {mentions('Commands', trust.commands)} {trust.advice}
        </p>
      </section>
      <Decision name={name} trust={trust} />
    </div>
  );
}

function Decision({ name, trust }: { readonly name: string; readonly trust: TrustView }): JSX.Element {
  const { isReadOnly } = useSession();
  const { scripts, toolsets, because, isRevocable, digest, findings } = trust;
  const refused = findings.filter(({ isRefused }) => isRefused);
  const brings = [...scripts, ...toolsets];
  return (
    <section class="stack">
      <h2>
        {because === undefined ? 'Not trusted: Skillplane does not run its scripts and tools' : `Trusted: ${because}`}
      </h2>
      <p>
        {brings.length === 0
          ? 'It has nothing to run.'
          : because === undefined
            ? 'Trusting it lets agents run, until anything in its folder changes:'
            : 'Agents may run:'}
      </p>
      {brings.length > 0 && (
        <ul class="mono">
          {brings.map((path) => (
            <li key={path}>{visible(path)}</li>
          ))}
        </ul>
      )}
      {because === undefined && refused.length > 0 && (
        <p class="bad">
          Trusting it also accepts {counted(refused.length, 'finding')} that would refuse it:{' '}
          {[...new Set(refused.map((finding) => finding.name))].join(', ')}.
        </p>
      )}
      <div class="row-of-buttons">
        {isReadOnly ? null : because === undefined ? (
          <button
            type="button"
            class="main"
            onClick={() => void grantTrust(name, digest, [...new Set(refused.map(({ rule }) => rule))])}
          >
            {refused.length === 0 ? 'Trust it as it is now' : 'Accept the findings and trust it as it is now'}
          </button>
        ) : (
          isRevocable && (
            <button type="button" onClick={() => void revokeTrust(name)}>
              Stop trusting it
            </button>
          )
        )}
        <span class="muted mono digest">{digest}</span>
      </div>
    </section>
  );
}

function mentions(label: string, names: readonly string[]): string {
  return names.length === 0 ? '' : `${label} it names: ${visible(names.slice(0, 12).join(', '))}.`;
}
