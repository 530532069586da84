import { orNull, truthKind } from '../src/config/kinds.ts';
import { settingsTable, sourceSwitches } from '../src/config/settings.ts';

/** Renders the JSON Schema of `config.yaml`, from the table of settings. A value may be empty: `disabled:` with nothing after it. Draft 7 is what editors understand. */
export function renderConfigSchema(): string {
  const settings = Object.entries(settingsTable).map(([name, { type, default: value, description }]) => {
    return [name, { description, ...orNull(type.schema), default: value }] as const;
  });
  const switches = Object.entries(sourceSwitches).map(([name, sources]) => {
    const description = `\`false\` switches ${sources.join(' and ')} off, \`true\` on, as other tools write it.`;
    return [name, { description, ...orNull(truthKind.schema) }] as const;
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
