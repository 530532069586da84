import type { Diagnostic } from '../model/diagnostic.ts';
import { MAX_COMPATIBILITY_LENGTH, MAX_DESCRIPTION_LENGTH } from '../model/limits.ts';
import type { FrontmatterMap, SkillDefinition, PlainValue } from '../model/skill.ts';
import { countCodePoints } from './code-points.ts';
import {
  flagOf,
  listOf,
  mapOf,
  readMetadata,
  readTriggers,
  reportRefused,
  splitAtCommas,
  splitGlobs,
  splitTools,
  splitWords,
  proseOf,
  textOf,
  toPlain,
  type Report,
} from './fields.ts';
import { findRefusedGlobs } from './globs.ts';
import { findTitle, firstProse, firstSentence, oneLine } from './markdown.ts';
import { findNameFaults, isSameName } from './name-rules.ts';
import type { StepBudget } from './step-budget.ts';

/** The six fields of the Agent Skills specification. */
export const SPEC_FIELDS: readonly string[] = [
  'allowed-tools',
  'compatibility',
  'description',
  'license',
  'metadata',
  'name',
];

/** Our documented extensions of the specification. */
export const EXTENSION_FIELDS: readonly string[] = [
  'always_present',
  'alwaysApply',
  'brief_description',
  'creator',
  'default_enabled',
  'disable-model-invocation',
  'domain',
  'globs',
  'planck_version',
  'producer_version',
  'scripts',
  'tags',
  'toolsets',
  'triggers',
  'user-invocable',
  'version',
  'when_to_use',
];

/** `when_to_use` stays in `extra` too, because the record has it only as part of the description. */
const KNOWN_FIELDS = new Set([...SPEC_FIELDS, ...EXTENSION_FIELDS].filter((field) => field !== 'when_to_use'));

export interface ManifestContext {
  readonly id: string;
  readonly dir: string;
  readonly file: string;
  readonly body: string;
  readonly textDigest?: string;
  /** Collects flaws; becomes `diagnostics` of the record. */
  readonly diagnostics: Diagnostic[];
  readonly report: Report;
  /** Limits the work of compiling patterns. */
  readonly patternBudget?: StepBudget | undefined;
}

/** Builds the normalised record of one SKILL.md. Lenient: keeps everything it can understand and reports each flaw. */
export function readManifest(values: FrontmatterMap, context: ManifestContext): SkillDefinition {
  const { id, dir, file, body, diagnostics, report, patternBudget } = context;
  const fields = { values, report, prefix: '' };
  const ownName = textOf(fields, 'name')?.replaceAll(/\s+/g, ' ');
  const name = ownName ?? id;
  const description = proseOf(fields, 'description') ?? '';
  const whenToUse = textOf(fields, 'when_to_use');
  const given = mapOf(fields, 'metadata');
  const metadata = readMetadata(given, report);
  const nested = { values: given ?? NO_VALUES, report, prefix: 'metadata.' };
  const compatibility = textOf(fields, 'compatibility');
  const globs = listOf(fields, 'globs', splitGlobs) ?? NONE;
  reportRefused('globs', findRefusedGlobs(globs), report);
  const version = textOf(fields, 'version') ?? (metadata['version'] || undefined);
  const domain = textOf(fields, 'domain');
  reportFlaws({ id, name, description, compatibility }, report);
  return {
    id,
    name,
    isNamed: ownName !== undefined,
    title: findTitle(body) ?? name,
    description: whenToUse === undefined ? description : `${description}\n${whenToUse}`.trim(),
    brief: readBrief(textOf(fields, 'brief_description'), description || whenToUse || firstProse(body)),
    tokens: Math.ceil(body.length / 4),
    textDigest: context.textDigest,
    version: version ?? DEFAULT_VERSION,
    domain: domain ?? DEFAULT_DOMAIN,
    defaults: listDefaults(version, domain),
    tags: unite(listOf(fields, 'tags', splitAtCommas), listOf(nested, 'tags', splitWords)),
    license: textOf(fields, 'license'),
    compatibility,
    metadata,
    allowedTools: listOf(fields, 'allowed-tools', splitTools) ?? NONE,
    triggers: readTriggers(values.get('triggers'), report, patternBudget),
    globs,
    pinned: (flagOf(fields, 'always_present') ?? false) || (flagOf(fields, 'alwaysApply') ?? false),
    hidden: flagOf(fields, 'disable-model-invocation') ?? false,
    userInvocable: flagOf(fields, 'user-invocable') ?? true,
    defaultEnabled: flagOf(fields, 'default_enabled') ?? true,
    toolsets: listOf(fields, 'toolsets', splitAtCommas) ?? NONE,
    scripts: listOf(fields, 'scripts', splitAtCommas),
    requires: listOf(nested, 'requires', splitWords) ?? NONE,
    creator: textOf(fields, 'creator'),
    producerVersion: textOf(fields, 'producer_version') ?? textOf(fields, 'planck_version'),
    extra: unknownFields(values),
    dir,
    file,
    diagnostics,
  };
}

/** The values in the record of a skill that does not set these fields. */
const DEFAULT_VERSION = '1.0.0';
const DEFAULT_DOMAIN = 'development';

function listDefaults(version: string | undefined, domain: string | undefined): SkillDefinition['defaults'] {
  if (version !== undefined && domain !== undefined) return undefined;
  return [
    ...(version === undefined ? (['version'] as const) : []),
    ...(domain === undefined ? (['domain'] as const) : []),
  ];
}

const NONE: readonly string[] = [];
const NO_VALUES: FrontmatterMap = new Map();
const NOTHING: Readonly<Record<string, PlainValue>> = {};

type Checked = Pick<SkillDefinition, 'id' | 'name' | 'description' | 'compatibility'>;

function reportFlaws({ id, name, description, compatibility }: Checked, report: Report): void {
  for (const fault of findNameFaults(name)) {
    report({ code: 'INVALID_NAME', severity: 'info', field: 'name', message: fault });
  }
  if (!isSameName(name, id)) {
    const message = `the folder is "${id}", but the name is "${name}"; other agents expect them to match`;
    report({ code: 'NAME_MISMATCH', severity: 'info', field: 'name', message });
  }
  if (description === '') {
    const message = 'no description: agents cannot tell when to use this skill';
    report({ code: 'DESCRIPTION_MISSING', severity: 'warning', field: 'description', message });
  }
  if (isLonger(description, MAX_DESCRIPTION_LENGTH)) {
    const message = `the description exceeds ${MAX_DESCRIPTION_LENGTH} characters; other agents truncate or reject it`;
    report({ code: 'DESCRIPTION_TOO_LONG', severity: 'warning', field: 'description', message });
  }
  if (isLonger(compatibility ?? '', MAX_COMPATIBILITY_LENGTH)) {
    const message = `compatibility exceeds ${MAX_COMPATIBILITY_LENGTH} characters`;
    report({ code: 'COMPATIBILITY_TOO_LONG', severity: 'warning', field: 'compatibility', message });
  }
}

/** Counts code points only if the cheaper count is not decisive. */
function isLonger(text: string, max: number): boolean {
  return text.length > max && countCodePoints(text) > max;
}

function readBrief(brief: string | undefined, text: string): string {
  return brief === undefined ? firstSentence(text) : oneLine(brief);
}

function unite(own: readonly string[] | undefined, more: readonly string[] | undefined): readonly string[] {
  return own === undefined && more === undefined ? NONE : [...new Set([...(own ?? NONE), ...(more ?? NONE)])];
}

function unknownFields(values: FrontmatterMap): Readonly<Record<string, PlainValue>> {
  let extra: Record<string, PlainValue> | undefined;
  for (const [key, value] of values) {
    if (KNOWN_FIELDS.has(key)) continue;
    extra ??= {};
    extra[key] = toPlain(value);
  }
  return extra ?? NOTHING;
}
