import type { JSX } from 'preact';

import { visible } from '../lib/visible-text.ts';

export interface ShownFinding {
  readonly rule: string;
  readonly name: string;
  readonly severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
  /** Missing in findings that an older hub made. */
  readonly certainty?: 'certain' | 'likely' | 'possible' | undefined;
  /** In words. */
  readonly place: string;
  readonly file: string;
  readonly line?: number | null | undefined;
  readonly excerpt: string;
  readonly why: string;
}

interface FindingsProps {
  readonly findings: readonly ShownFinding[];
  /** Draws the place of a finding as a link, if its file can be opened. */
  readonly renderPlace?: ((finding: ShownFinding, text: string) => JSX.Element) | undefined;
}

/** How strongly a finding is shown. */
export const SEVERITY_KINDS: Readonly<Record<ShownFinding['severity'], 'bad' | 'warn' | 'muted'>> = {
  critical: 'bad',
  high: 'bad',
  medium: 'warn',
  low: 'muted',
  info: 'muted',
};

/** `high`, or `high (possible)` if the text around it says that it is not meant: such a finding refuses nothing. */
export function strengthOf({ severity, certainty }: Pick<ShownFinding, 'severity' | 'certainty'>): string {
  return certainty === 'possible' ? `${severity} (possible)` : severity;
}

export function kindOf({
  severity,
  certainty,
}: Pick<ShownFinding, 'severity' | 'certainty'>): 'bad' | 'warn' | 'muted' {
  return certainty === 'possible' ? 'muted' : SEVERITY_KINDS[severity];
}

/** Findings of an audit, the worst first, each at its place. */
export function Findings({ findings, renderPlace }: FindingsProps): JSX.Element | null {
  if (findings.length === 0) return null;
  return (
    <ul class="findings">
      {findings.map((finding, at) => (
        <li key={at}>
          <p>
            <strong class={kindOf(finding)}>{strengthOf(finding)}</strong> {visible(finding.name)}{' '}
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
