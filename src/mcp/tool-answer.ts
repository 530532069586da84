import type { CallToolResult } from '@modelcontextprotocol/server';

import type { ToolResult } from '../activate/toolsets/tool.ts';
import { failForModel } from '../agent/model-text.ts';
import type { OutputSchema } from '../agent/tool-output.ts';
import type { Outcome } from '../model/outcome.ts';

/** Keys in `_meta`: the stable code of a failure, and the data of an answer. */
const CODE_KEY = 'skillplane/code';
const DATA_KEY = 'skillplane/data';

export interface AnswerOptions {
  /** Undefined for tools of skills. */
  readonly outputSchema: OutputSchema | undefined;
  /** Include the data in the answer? Several clients then show their model only the data. */
  readonly isStructured: boolean;
  /** Folders of this machine; no failure may name them. */
  readonly folders: readonly string[];
}

/** Converts the outcome of a tool to an MCP answer: text for the model, and data for programs. */
export function toToolAnswer(
  outcome: Outcome<ToolResult>,
  { outputSchema, isStructured, folders }: AnswerOptions,
): CallToolResult {
  if (!outcome.ok) {
    const text = withoutPaths(failForModel(outcome).message, folders);
    return { isError: true, content: [{ type: 'text', text }], _meta: { [CODE_KEY]: outcome.code } };
  }
  const answer: CallToolResult = { content: [{ type: 'text', text: outcome.output }] };
  return isStructured
    ? { ...answer, structuredContent: toStructure(outcome, outputSchema) }
    : { ...answer, _meta: { [DATA_KEY]: outcome.metadata } };
}

function toStructure(
  { title, metadata, output }: ToolResult,
  schema: OutputSchema | undefined,
): Record<string, unknown> {
  if (schema === undefined) return { title, metadata, output };
  return 'output' in schema.properties ? { ...metadata, output } : { ...metadata };
}

/** An absolute path in a sentence, but not a URL or the slash of "and/or". */
const ABSOLUTE = /(?<![\w:/.~-])(?:[A-Za-z]:\\|\/)[^\s"'`;,()]*/g;

/**
 * Shortens every absolute path to its last part: the client may be on another machine. `folders` are replaced first,
 * because they may contain spaces.
 */
export function withoutPaths(message: string, folders: readonly string[]): string {
  const shortened = folders
    .filter((folder) => folder.length > 1)
    .toSorted((a, b) => b.length - a.length)
    .reduce((text, folder) => text.replaceAll(folder, '/…'), message);
  return shortened.replaceAll(ABSOLUTE, (path) => path.split(/[/\\]/).findLast((part) => part !== '') ?? path);
}
