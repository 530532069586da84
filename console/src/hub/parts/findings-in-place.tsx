import type { JSX } from 'preact';

import type { FindingAnswer } from '../../../../hub/src/http/wire.ts';
import { visible } from '../../lib/visible-text.ts';
import { CodeView, type LineNote } from '../../parts/code-view.tsx';
import { Findings, kindOf, SEVERITY_KINDS, strengthOf, type ShownFinding } from '../../parts/findings.tsx';
import type { VersionName } from '../lib/api.ts';
import { labelOf } from '../lib/labels.ts';
import { useFile } from '../lib/use-ask.ts';
import { HubLink } from './hub-link.tsx';

interface FindingsInPlaceProps {
  readonly name: VersionName;
  readonly findings: readonly FindingAnswer[];
}

/** The findings of a version's audit, each below the line that it is about. */
export function FindingsInPlace({ name, findings }: FindingsInPlaceProps): JSX.Element {
  if (findings.length === 0) return <p class="muted">No findings.</p>;
  const files = Map.groupBy(findings, ({ file }) => file);
  return (
    <div class="stack">
      {[...files].map(([file, found]) => (
        <section key={file} class="stack" aria-label={`Findings in ${visible(file)}`}>
          <h3>
            <HubLink page="skill" params={{ of: labelOf(name), v: name.version, tab: 'files', file }} class="mono">
              <bdi>{visible(file)}</bdi>
            </HubLink>
          </h3>
          <InFile name={name} file={file} findings={found} />
        </section>
      ))}
    </div>
  );
}

interface InFileProps extends FindingsInPlaceProps {
  readonly file: string;
}

function InFile({ name, file, findings }: InFileProps): JSX.Element {
  const placed = findings.filter(({ line, member }) => line !== undefined && member === undefined);
  const { value } = useFile(name, placed.length === 0 ? undefined : file);
  const lines = value?.text?.split('\n') ?? [];
  const isShown = ({ line = 0 }: FindingAnswer): boolean => placed.length > 0 && line > 0 && line <= lines.length;
  const rest = findings.filter((finding) => !placed.includes(finding) || !isShown(finding));
  return (
    <>
      {windowsAround(placed.filter(isShown), lines.length).map(({ from, to }) => (
        <CodeView
          key={from}
          text={lines.slice(from - 1, to).join('\n')}
          label={`Lines ${from} to ${to} of ${visible(file)}`}
          from={from}
          notes={placed.flatMap(toNote)}
        />
      ))}
      <Findings findings={rest.map(toShown)} />
    </>
  );
}

const AROUND = 3;

interface Window {
  readonly from: number;
  readonly to: number;
}

/** The lines around findings; windows that touch are one. */
function windowsAround(findings: readonly FindingAnswer[], count: number): readonly Window[] {
  const windows: Window[] = [];
  for (const { line = 1 } of findings.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))) {
    const window = { from: Math.max(1, line - AROUND), to: Math.min(count, line + AROUND) };
    const last = windows.at(-1);
    if (last !== undefined && window.from <= last.to + 1)
      windows[windows.length - 1] = { from: last.from, to: window.to };
    else windows.push(window);
  }
  return windows;
}

/** A finding as a note below its line. */
export function toNote(finding: FindingAnswer): readonly LineNote[] {
  const { name, rule, why, line, member } = finding;
  if (line === undefined || member !== undefined) return [];
  return [{ line, kind: kindOf(finding), text: `${strengthOf(finding)}: ${name} (${rule}). ${why}` }];
}

function toShown({ rule, name, severity, certainty, file, member, line, excerpt, why }: FindingAnswer): ShownFinding {
  const place = `${file}${member === undefined ? '' : `!/${member}`}${line === undefined ? '' : `:${line}`}`;
  return { rule, name, severity, certainty, file, line: line ?? null, place, excerpt, why };
}

/** `2 critical, 1 low, 3 possible`; empty if there are none. */
export function countFindings(findings: readonly FindingAnswer[]): string {
  const counts = Map.groupBy(findings, ({ severity, certainty }) => (certainty === 'possible' ? certainty : severity));
  return [...Object.keys(SEVERITY_KINDS), 'possible']
    .flatMap((severity) => {
      const found = [...counts].find(([key]) => key === severity)?.[1].length;
      return found === undefined ? [] : [`${found} ${severity}`];
    })
    .join(', ');
}
