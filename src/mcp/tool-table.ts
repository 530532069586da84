import type { ToolAnnotations } from '@modelcontextprotocol/server';

import type { ToolPermissions } from './tool-permissions.ts';

type Schema = Readonly<Record<string, unknown>>;

/** What MCP clients are told of a tool beyond its name, description and arguments. */
export interface ToolRow {
  readonly title: string;
  readonly annotations: ToolAnnotations;
  /** Of the structured answer. */
  readonly outputSchema: { readonly type: 'object'; readonly properties: Schema; readonly required: readonly string[] };
}

const TEXT: Schema = { type: 'string' };
const COUNT: Schema = { type: 'integer', minimum: 0 };
const OUTPUT: Schema = { type: 'string', description: 'The whole answer as text.' };

const READ_ONLY: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

const WRITING: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: false,
};

/** The tools of ours by name; some clients show a model the structured answer alone, so that nothing may lack there. */
export function toolTable({ allowScripts, allowWrite }: ToolPermissions): Readonly<Record<string, ToolRow>> {
  const isLooking = allowScripts !== true && allowWrite !== true;
  return {
    ...ROWS,
    ctx: {
      title: 'Answer a CTX statement',
      annotations: isLooking ? READ_ONLY : { ...WRITING, openWorldHint: allowScripts === true },
      outputSchema: shape({ answer: { type: 'object' } }),
    },
  };
}

const ROWS: Readonly<Record<string, ToolRow>> = {
  list_skills: {
    title: 'List skills',
    annotations: READ_ONLY,
    outputSchema: shape({ count: COUNT, output: OUTPUT }),
  },
  search_skills: {
    title: 'Search skills',
    annotations: READ_ONLY,
    outputSchema: shape({
      results: {
        type: 'array',
        items: shape({
          name: TEXT,
          description: TEXT,
          score: { type: 'number', minimum: 0, maximum: 1 },
          reasons: { type: 'array', items: TEXT },
        }),
      },
    }),
  },
  load_skill: {
    title: 'Load a skill',
    annotations: READ_ONLY,
    outputSchema: shape({
      name: TEXT,
      dir: { ...TEXT, description: "The skill's directory; paths in its instructions count from there." },
      digest: TEXT,
      tokens: COUNT,
      isRepeated: { type: 'boolean' },
      output: OUTPUT,
    }),
  },
  read_skill_resource: {
    title: 'Read a file of a skill',
    annotations: READ_ONLY,
    outputSchema: shape({ url: TEXT, contentType: TEXT, size: COUNT, output: OUTPUT }),
  },
  write_skill: {
    title: 'Write a skill',
    annotations: { ...WRITING, idempotentHint: true },
    outputSchema: shape({ name: TEXT, path: TEXT, action: TEXT, output: OUTPUT }),
  },
  run_skill_script: {
    title: 'Run a script of a skill',
    annotations: { ...WRITING, openWorldHint: true },
    outputSchema: shape(
      {
        skill: TEXT,
        script: TEXT,
        succeeded: { type: 'boolean' },
        exitCode: { type: ['integer', 'null'] },
        signal: { type: ['string', 'null'] },
        ended: TEXT,
        isolation: TEXT,
        truncated: { type: 'boolean' },
        output: OUTPUT,
        outputDir: TEXT,
        outputs: { type: 'array', items: shape({ path: TEXT, size: COUNT }) },
      },
      ['outputDir', 'outputs'],
    ),
  },
};

function shape(
  properties: Readonly<Record<string, Schema>>,
  optional: readonly string[] = [],
): ToolRow['outputSchema'] {
  return { type: 'object', properties, required: Object.keys(properties).filter((key) => !optional.includes(key)) };
}
