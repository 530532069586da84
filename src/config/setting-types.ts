import { AGENT_IDS, type AgentId } from '../model/agents.ts';
import {
  AUDIT_LIMITS,
  readsHosts,
  SANDBOX_POLICIES,
  tellsHubs,
  type AgentsSetting,
  type AuditLimit,
  type EmbeddingsSetting,
  type HostGlobs,
  type PluginDefinition,
  type RankingSetting,
  type SandboxPolicy,
  type UsageSetting,
} from '../model/config.ts';
import { MAX_TIMEOUT_MS, parseTimeout, TIMEOUT_FORMS } from '../model/duration.ts';
import {
  exactMappingOf,
  listKind,
  mappingOf,
  missingAs,
  nameKind,
  oneOf,
  orMissing,
  recordOf,
  right,
  textKind,
  that,
  truthKind,
  wrong,
  type Kind,
} from './kinds.ts';

/** A kind of value that settings have. */
export interface SettingType<Value> extends Kind<Value> {
  /** For the reference and `config list`. */
  readonly name: string;
  /** How `config set` reads it: names between commas, the text itself, or YAML. */
  readonly form: 'list' | 'text' | 'yaml';
  /** Only for types of which one value can be stricter than another. */
  readonly strictness?: Strictness<Value>;
}

export interface Strictness<Value> {
  stricter(own: Value, over: Value): Value;
  /** Would `over` allow more than `own`? */
  isLooser(own: Value, over: Value): boolean;
}

function byOrder<Value>(isLooser: (own: Value, over: Value) => boolean): Strictness<Value> {
  return { isLooser, stricter: (own, over) => (isLooser(own, over) ? own : over) };
}

/** Of two policies, the one later in the list is stricter. */
function policy<Policy extends string>(
  name: string,
  policies: readonly Policy[],
  message: string,
): SettingType<Policy> {
  return {
    ...oneOf(policies, message),
    name,
    form: 'yaml',
    strictness: byOrder((own, over) => policies.indexOf(over) < policies.indexOf(own)),
  };
}

export const truth: SettingType<boolean> = {
  ...truthKind,
  name: 'boolean',
  form: 'yaml',
  strictness: byOrder((own, over) => over && !own),
};

export const count: SettingType<number> = {
  name: 'number',
  check(value) {
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) return wrong('must be a whole number');
    return value < 0 ? wrong('must not be negative') : right(value);
  },
  schema: { type: 'integer', minimum: 0 },
  form: 'yaml',
  strictness: byOrder((own, over) => over > own),
};

/** In milliseconds. */
export const time: SettingType<number> = {
  name: 'time',
  check(given) {
    const value = typeof given === 'string' ? parseTimeout(given) : given;
    if (typeof value !== 'number' || !Number.isInteger(value)) return wrong(`must be ${TIMEOUT_FORMS}`);
    if (value <= 0) return wrong('must be more than 0');
    return value > MAX_TIMEOUT_MS ? wrong(`must be at most ${MAX_TIMEOUT_MS}`) : right(value);
  },
  schema: {
    anyOf: [
      { type: 'integer', minimum: 1, maximum: MAX_TIMEOUT_MS },
      { type: 'string', pattern: String.raw`^0*[1-9]\d*(?:ms|[smhdw])?$` },
    ],
  },
  form: 'text',
  strictness: byOrder((own, over) => over > own),
};

/** Written as in the file: `~` and variables are not expanded. */
export const path: SettingType<string> = { ...textKind, name: 'path', form: 'text' };

export const sandboxPolicy: SettingType<SandboxPolicy> = policy(
  'off, auto or require',
  SANDBOX_POLICIES,
  'must be off, auto or require',
);

export const auditLimit: SettingType<AuditLimit> = policy(
  'a severity or never',
  AUDIT_LIMITS,
  `must be one of ${AUDIT_LIMITS.join(', ')}`,
);

const NAMES = listKind(nameKind);

export const names: SettingType<readonly string[]> = { ...NAMES, name: 'list of names', form: 'list' };
export const globs: SettingType<readonly string[]> = { ...NAMES, name: 'list of globs', form: 'list' };
export const paths: SettingType<readonly string[]> = { ...NAMES, name: 'list of paths', form: 'list' };

const PLUGIN = mappingOf<PluginDefinition>(
  {
    url: textKind,
    ref: orMissing(textKind),
    name: orMissing(textKind),
    enabled: missingAs(true, truthKind),
    installedAt: orMissing(textKind),
  },
  'must be a URL, or a mapping with a `url`',
);

export const plugins: SettingType<readonly PluginDefinition[]> = {
  ...listKind({
    check: (entry) => PLUGIN.check(typeof entry === 'string' ? { url: entry } : entry),
    schema: { anyOf: [textKind.schema, PLUGIN.schema] },
  }),
  name: 'list of plugins',
  form: 'list',
};

export const sourcesByName: SettingType<Readonly<Record<string, string>>> = {
  ...recordOf(nameKind, 'must be a mapping of names to sources'),
  name: 'sources by name',
  form: 'yaml',
};

const AGENT_LIST = listKind(oneOf(AGENT_IDS, `must be one of ${AGENT_IDS.join(', ')}`));

export const agentsByDefault: SettingType<AgentsSetting> = {
  name: 'list of agents or found',
  check: (value) =>
    value === 'found' || (Array.isArray(value) && value.length === 1 && value[0] === 'found')
      ? right('found')
      : AGENT_LIST.check(value),
  schema: { anyOf: [{ const: 'found' }, AGENT_LIST.schema] },
  form: 'list',
};

// The keys are the ids.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const HOST_LISTS = Object.fromEntries(AGENT_IDS.map((id) => [id, orMissing(NAMES)])) as Record<
  AgentId,
  Kind<readonly string[] | undefined>
>;

export const globsByHost: SettingType<HostGlobs> = {
  ...exactMappingOf<HostGlobs>(HOST_LISTS, `must be lists of names and globs by agent (${AGENT_IDS.join(', ')})`),
  name: 'globs by agent',
  form: 'yaml',
};

const MAYBE_TRUTH = missingAs(undefined, truthKind);
const KEPT_PARTS = exactMappingOf<Exclude<UsageSetting, boolean>>({ hosts: MAYBE_TRUTH, hub: MAYBE_TRUTH }, '');

export const usageKept: SettingType<UsageSetting> = {
  name: 'boolean or { hosts, hub }',
  check(value) {
    const checked = typeof value === 'boolean' ? right(value) : KEPT_PARTS.check(value);
    return checked.ok ? checked : wrong('must be true, false, or `hosts` and `hub` with true or false');
  },
  schema: { anyOf: [truthKind.schema, KEPT_PARTS.schema] },
  form: 'yaml',
  strictness: {
    stricter(own, over) {
      if (own === false || over === false) return false;
      const hosts = readsHosts(own) && readsHosts(over);
      // Silence about hubs in the stricter file is no objection; only the user's own file can switch them on.
      const hub = tellsHubs(own) && (typeof over !== 'object' || over.hub !== false);
      if (hub) return { hosts, hub };
      return hosts ? true : { hosts };
    },
    isLooser: (own, over) => tellsHubs(over) && !tellsHubs(own),
  },
};

const FILLED = that(textKind, (text) => text !== '', 'must not be empty');

const ADDRESS: Kind<string> = {
  check(value) {
    const url = typeof value === 'string' ? value.trim() : '';
    const isAddress = /^https?:\/\//i.test(url) && URL.canParse(url);
    return isAddress ? right(url) : wrong('must be an address that begins with http:// or https://');
  },
  schema: { type: 'string', format: 'uri' },
};

const EMBEDDINGS = exactMappingOf<EmbeddingsSetting>(
  { url: ADDRESS, model: FILLED, key: orMissing(FILLED) },
  'must be a mapping with `url` and `model`',
);

export const rankingModel: SettingType<RankingSetting> = {
  ...exactMappingOf<RankingSetting>({ embeddings: orMissing(EMBEDDINGS) }, 'must be a mapping with `embeddings`'),
  name: '{ embeddings: { url, model, key } }',
  form: 'yaml',
};
