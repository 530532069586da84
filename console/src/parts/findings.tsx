import type { JSX } from 'preact';

import type { FindingView } from '../../../src/http/wire/skill.ts';
import { visible } from '../lib/visible-text.ts';
import { Link } from './link.tsx';

interface FindingsProps {
  readonly findings: readonly FindingView[];
  /** The skill whose files they are in, if those can be opened. */
  readonly name?: string | undefined;
}

const KINDS: Readonly<Record<FindingView['severity'], string>> = {
  critical: 'bad',
  high: 'bad',
  medium: 'warn',
  low: 'muted',
  info: 'muted',
};

/** Findings of an audit, the worst first, each at its place. */
export function Findings({ findings, name }: FindingsProps): JSX.Element | null {
  if (findings.length === 0) return null;
  return (
    <ul class="findings">
      {findings.map(({ rule, name: title, severity, place, file, excerpt, why }, at) => (
        <li key={at}>
          <p>
            <strong class={KINDS[severity]}>{severity}</strong> {visible(title)} <span class="muted">{rule}</span>{' '}
            {name === undefined ? (
              <span class="mono">{visible(place)}</span>
            ) : (
              <Link page="skill" params={{ name, tab: 'files', file }} class="mono">
                {visible(place)}
              </Link>
            )}
          </p>
          <pre tabIndex={0}>{visible(excerpt)}</pre>
          <p class="muted">{visible(why)}</p>
        </li>
      ))}
    </ul>
  );
}
