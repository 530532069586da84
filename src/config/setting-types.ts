import {
  AUDIT_LIMITS,
  readsHosts,
  SANDBOX_POLICIES,
  tellsHubs,
  type AuditLimit,
  type EmbeddingsSetting,
  type HostGlobs,
  type PluginDefinition,
  type RankingSetting,
  type SandboxPolicy,
  type UsageSetting,
} from '../model/config.ts';
import { MAX_TIMEOUT_MS, parseTimeout, TIMEOUT_FORMS } from '../model/duration.ts';
import { HOST_IDS } from '../model/host-id.ts';
import {
  checkName,
  checkText,
  checkTruth,
  exactMappingOf,
  checkList,
  mappingOf,
  missingAs,
  oneOf,
  orMissing,
  recordOf,
  right,
  that,
  wrong,
  type ValueCheck,
} from './check.ts';

/** A kind of value that settings have. */
export interface SettingType<Value> {
  /** For the reference and `config list`. */
  readonly name: string;
  readonly check: ValueCheck<Value>;
  /** The JSON Schema, for editors. A missing value may be null: `disabled:` with nothing after it. */
  readonly schema: SettingSchema;
  /** How `config set` reads it: names between commas, the text itself, or YAML. */
  readonly form: 'list' | 'text' | 'yaml';
  /** Only for types of which one value can be stricter than another. */
  readonly strictness?: Strictness<Value>;
}

export type SettingSchema = Readonly<Record<string, unknown>>;

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
    name,
    check: oneOf(policies, message),
    schema: { enum: [...policies, null] },
    form: 'yaml',
    strictness: byOrder((own, over) => policies.indexOf(over) < policies.indexOf(own)),
  };
}

export const truth: SettingType<boolean> = {
  name: 'boolean',
  check: checkTruth,
  schema: { type: ['boolean', 'null'] },
  form: 'yaml',
  strictness: byOrder((own, over) => over && !own),
};

export const count: SettingType<number> = {
  name: 'number',
  check(value) {
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) return wrong('must be a whole number');
    return value < 0 ? wrong('must not be negative') : right(value);
  },
  schema: { type: ['integer', 'null'], minimum: 0 },
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
      { type: 'null' },
    ],
  },
  form: 'text',
  strictness: byOrder((own, over) => over > own),
};

const TEXT: SettingSchema = { type: ['string', 'null'] };

/** Written as in the file: `~` and variables are not expanded. */
export const path: SettingType<string> = { name: 'path', check: checkText, schema: TEXT, form: 'text' };

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

const NAME: SettingSchema = { type: ['string', 'number', 'boolean'] };
const NAMES: SettingSchema = { type: ['array', 'null'], items: NAME };
const checkNames = checkList(checkName);

function namesCalled(name: string): SettingType<readonly string[]> {
  return { name, check: checkNames, schema: NAMES, form: 'list' };
}

export const names: SettingType<readonly string[]> = namesCalled('list of names');
export const globs: SettingType<readonly string[]> = namesCalled('list of globs');
export const paths: SettingType<readonly string[]> = namesCalled('list of paths');

const checkPlugin = mappingOf<PluginDefinition>(
  {
    url: checkText,
    ref: orMissing(checkText),
    name: orMissing(checkText),
    enabled: missingAs(true, checkTruth),
    installedAt: orMissing(checkText),
  },
  'must be a URL, or a mapping with a `url`',
);

export const plugins: SettingType<readonly PluginDefinition[]> = {
  name: 'list of plugins',
  check: checkList((entry) => checkPlugin(typeof entry === 'string' ? { url: entry } : entry)),
  schema: {
    type: ['array', 'null'],
    items: {
      anyOf: [
        { type: 'string' },
        {
          type: 'object',
          required: ['url'],
          properties: {
            url: { type: 'string' },
            ref: TEXT,
            name: TEXT,
            enabled: { type: 'boolean', default: true },
            installedAt: TEXT,
          },
        },
      ],
    },
  },
  form: 'list',
};

export const sourcesByName: SettingType<Readonly<Record<string, string>>> = {
  name: 'sources by name',
  check: recordOf(checkName, 'must be a mapping of names to sources'),
  schema: { type: ['object', 'null'], additionalProperties: NAME },
  form: 'yaml',
};

export const globsByHost: SettingType<HostGlobs> = {
  name: 'globs by host',
  check: exactMappingOf<HostGlobs>(
    {
      'claude-code': orMissing(checkNames),
      codex: orMissing(checkNames),
      cursor: orMissing(checkNames),
      copilot: orMissing(checkNames),
      gemini: orMissing(checkNames),
      opencode: orMissing(checkNames),
    },
    `must be lists of names and globs by host (${HOST_IDS.join(', ')})`,
  ),
  schema: {
    type: ['object', 'null'],
    properties: Object.fromEntries(HOST_IDS.map((id) => [id, NAMES])),
    additionalProperties: false,
  },
  form: 'yaml',
};

const maybeTruth = missingAs(undefined, checkTruth);
const checkUsage = exactMappingOf<Exclude<UsageSetting, boolean>>({ hosts: maybeTruth, hub: maybeTruth }, '');

export const usageKept: SettingType<UsageSetting> = {
  name: 'boolean or { hosts, hub }',
  check(value) {
    const checked = typeof value === 'boolean' ? right(value) : checkUsage(value);
    return checked.ok ? checked : wrong('must be true, false, or `hosts` and `hub` with true or false');
  },
  schema: {
    anyOf: [
      { type: ['boolean', 'null'] },
      {
        type: 'object',
        properties: { hosts: { type: 'boolean' }, hub: { type: 'boolean' } },
        additionalProperties: false,
      },
    ],
  },
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

const ADDRESS = 'must be an address that begins with http:// or https://';
const checkFilled = that(checkText, (text) => text !== '', 'must not be empty');

const checkEmbeddings = exactMappingOf<EmbeddingsSetting>(
  {
    url(value) {
      const url = typeof value === 'string' ? value.trim() : '';
      return /^https?:\/\//i.test(url) && URL.canParse(url) ? right(url) : wrong(ADDRESS);
    },
    model: checkFilled,
    key: orMissing(checkFilled),
  },
  'must be a mapping with `url` and `model`',
);

export const rankingModel: SettingType<RankingSetting> = {
  name: '{ embeddings: { url, model, key } }',
  check: exactMappingOf<RankingSetting>(
    { embeddings: orMissing(checkEmbeddings) },
    'must be a mapping with `embeddings`',
  ),
  schema: {
    type: ['object', 'null'],
    properties: {
      embeddings: {
        type: ['object', 'null'],
        properties: { url: { type: 'string', format: 'uri' }, model: { type: 'string' }, key: TEXT },
        required: ['url', 'model'],
        additionalProperties: false,
      },
    },
    additionalProperties: false,
  },
  form: 'yaml',
};
