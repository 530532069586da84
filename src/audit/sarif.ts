import { VERSION } from '../model/version.ts';
import type { Audit } from './audit-files.ts';
import type { AuditFinding } from './report.ts';
import { RULES } from './rules/all-rules.ts';
import type { AuditSeverity } from './rules/rule.ts';
import { AUDIT_ADVICE, describePlace } from './summary.ts';

/** Placeholder for the audited folder or repository, so that locations reveal nothing about the machine. */
const BASE = 'AUDITED';

const LEVELS: Readonly<Record<AuditSeverity, 'error' | 'warning' | 'note'>> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  info: 'note',
};

/** From 0 to 10; code hosts sort security findings by it. */
const SCORES: Readonly<Record<AuditSeverity, string>> = {
  critical: '9.5',
  high: '8.0',
  medium: '5.0',
  low: '2.0',
  info: '0.5',
};

/** An audit, and the folder of its files relative to the audited place. */
export type PlacedAudit = Pick<Audit, 'findings' | 'unlisted'> & { readonly path: string };

/** Renders the findings as a SARIF 2.1.0 log, for code hosts and editors. */
export function renderSarif(audits: readonly PlacedAudit[]): object {
  const indexes = new Map(RULES.map(({ id }, index) => [id, index]));
  const results = audits.flatMap(({ path, findings }) =>
    findings.map((finding) => ({ ...toResult(finding, path), ruleIndex: indexes.get(finding.rule) ?? -1 })),
  );
  const run = {
    tool: {
      driver: { name: 'skillplane', version: VERSION, semanticVersion: VERSION, rules: RULES.map(toDescriptor) },
    },
    columnKind: 'utf16CodeUnits',
    originalUriBaseIds: { [BASE]: { description: { text: 'The folder or repository that was audited.' } } },
    invocations: [
      { executionSuccessful: true, toolExecutionNotifications: audits.reduce(notify, [note(AUDIT_ADVICE)]) },
    ],
    results,
  };
  return { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
}

type Notification = ReturnType<typeof note>;

/** Notes the findings that are only counted. */
function notify(before: readonly Notification[], { path, unlisted }: PlacedAudit): readonly Notification[] {
  const told = unlisted.map(({ rule, count, ...place }) =>
    note(`${count} more findings of ${rule} in ${joinPath(path, describePlace(place))}`),
  );
  return [...before, ...told];
}

function note(text: string): { readonly level: 'note'; readonly message: { readonly text: string } } {
  return { level: 'note', message: { text } };
}

function toDescriptor({ id, name, severity, why }: (typeof RULES)[number]): object {
  return {
    id,
    name,
    shortDescription: { text: name.replaceAll('-', ' ') },
    fullDescription: { text: why },
    defaultConfiguration: { level: LEVELS[severity] },
    properties: { 'security-severity': SCORES[severity], tags: ['security'] },
  };
}

function toResult(
  { rule, name, severity, certainty, file, member, line, excerpt, why }: AuditFinding,
  path: string,
): object {
  const inside = member === undefined ? '' : ` (in ${member})`;
  const region =
    line === undefined || member !== undefined ? {} : { region: { startLine: line, snippet: { text: excerpt } } };
  const logical = member === undefined ? {} : { logicalLocations: [{ fullyQualifiedName: `${file}!/${member}` }] };
  const artifactLocation = { uri: toUri(joinPath(path, file)), uriBaseId: BASE };
  return {
    ruleId: rule,
    level: certainty === 'possible' ? 'note' : LEVELS[severity],
    message: { text: `${name.replaceAll('-', ' ')}${inside}: ${excerpt}\n${why}` },
    locations: [{ physicalLocation: { artifactLocation, ...region }, ...logical }],
    properties: { severity, certainty },
  };
}

function joinPath(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}

function toUri(path: string): string {
  return path
    .split('/')
    .map((segment) => encodeURIComponent(segment.toWellFormed()))
    .join('/');
}
