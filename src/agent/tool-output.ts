import type { JsonSchema } from '../activate/toolsets/tool-parameters.ts';

/** JSON Schema of a tool's structured answer, which must be complete: some clients show the model nothing else. */
export interface OutputSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}

export const TEXT: JsonSchema = { type: 'string' };
export const COUNT: JsonSchema = { type: 'integer', minimum: 0 };
export const FLAG: JsonSchema = { type: 'boolean' };
/** The text of the answer, for clients that show only the structured one. */
export const OUTPUT: JsonSchema = { type: 'string', description: 'The whole answer as text.' };

/** An object with these properties, all required except the ones named in `optional`. */
export function outputSchema(properties: OutputSchema['properties'], optional: readonly string[] = []): OutputSchema {
  return { type: 'object', properties, required: Object.keys(properties).filter((key) => !optional.includes(key)) };
}
