import { settingsTable, sourceSwitches, type Setting } from '../src/config/settings.ts';
import { AUDIT_LIMITS, SANDBOX_POLICIES } from '../src/model/config.ts';
import { MAX_TIMEOUT_MS } from '../src/model/duration.ts';
import { HOST_IDS } from '../src/model/host-id.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Renders the JSON Schema of `config.yaml`, from the table of settings. Draft 7 is what editors understand. */
export function renderConfigSchema(): string {
  const settings = Object.entries(settingsTable).map(([name, { type, default: value, description }]) => {
    return [name, { description, ...SHAPES[type], default: value }] as const;
  });
  const switches = Object.entries(sourceSwitches).map(([name, sources]) => {
    const description = `\`false\` switches ${sources.join(' and ')} off, \`true\` on, as other tools write it.`;
    return [name, { description, ...SHAPES.boolean }] as const;
  });
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Configuration of Skillplane',
    type: ['object', 'null'],
    properties: {
      skills: {
        type: ['object', 'null'],
        properties: Object.fromEntries([...settings, ...switches]),
        additionalProperties: false,
      },
    },
  };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

/** A name like `404` needs no quotes. */
const NAME: Schema = { type: ['string', 'number', 'boolean'] };
const NAMES: Schema = { type: ['array', 'null'], items: NAME };
const TEXT: Schema = { type: ['string', 'null'] };

const PLUGIN: Schema = {
  type: 'object',
  required: ['url'],
  properties: {
    url: { type: 'string' },
    ref: TEXT,
    name: TEXT,
    enabled: { type: 'boolean', default: true },
    installedAt: TEXT,
  },
};

/** An empty value (`disabled:` with nothing after it) counts as missing, hence the nulls. */
const SHAPES: Readonly<Record<Setting['type'], Schema>> = {
  boolean: { type: ['boolean', 'null'] },
  'boolean or { hosts, hub }': {
    anyOf: [
      { type: ['boolean', 'null'] },
      {
        type: 'object',
        properties: { hosts: { type: 'boolean' }, hub: { type: 'boolean' } },
        additionalProperties: false,
      },
    ],
  },
  number: { type: ['integer', 'null'], minimum: 0 },
  time: {
    anyOf: [
      { type: 'integer', minimum: 1, maximum: MAX_TIMEOUT_MS },
      { type: 'string', pattern: String.raw`^0*[1-9]\d*(?:ms|[smhdw])?$` },
      { type: 'null' },
    ],
  },
  path: TEXT,
  'off, auto or require': { enum: [...SANDBOX_POLICIES, null] },
  'a severity or never': { enum: [...AUDIT_LIMITS, null] },
  'list of names': NAMES,
  'list of globs': NAMES,
  'list of paths': NAMES,
  'list of plugins': { type: ['array', 'null'], items: { anyOf: [{ type: 'string' }, PLUGIN] } },
  'globs by host': {
    type: ['object', 'null'],
    properties: Object.fromEntries(HOST_IDS.map((id) => [id, NAMES])),
    additionalProperties: false,
  },
  '{ embeddings: { url, model, key } }': {
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
  'sources by name': { type: ['object', 'null'], additionalProperties: NAME },
};
