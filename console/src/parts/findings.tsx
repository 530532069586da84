import type { JSX } from 'preact';

import type { FindingView } from '../../../src/http/wire/skill.ts';
import { visible } from '../lib/visible-text.ts';

export type ShownFinding = Omit<FindingView, 'isRefused'>;

interface FindingsProps {
  readonly findings: readonly ShownFinding[];
  /** Draws the place of a finding as a link, if its file can be opened. */
  readonly renderPlace?: ((finding: ShownFinding, text: string) => JSX.Element) | undefined;
}

/** How strongly a finding is shown. */
export const SEVERITY_KINDS: Readonly<Record<FindingView['severity'], 'bad' | 'warn' | 'muted'>> = {
  critical: 'bad',
  high: 'bad',
  medium: 'warn',
  low: 'muted',
  info: 'muted',
};

/** Findings of an audit, the worst first, each at its place. */
export function Findings({ findings, renderPlace }: FindingsProps): JSX.Element | null {
  if (findings.length === 0) return null;
  return (
    <ul class="findings">
      {findings.map((finding, at) => (
        <li key={at}>
          <p>
            <strong class={SEVERITY_KINDS[finding.severity]}>{finding.severity}</strong> {visible(finding.name)}{' '}
            <span class="muted">{finding.rule}</span>{' '}
            {renderPlace?.(finding, visible(finding.place)) ?? <span class="mono">{visible(finding.place)}</span>}
          </p>
          <pre tabIndex={0}>{visible(finding.excerpt)}</pre>
          <p class="muted">{visible(finding.why)}</p>
        </li>
      ))}
    </ul>
  );
}
