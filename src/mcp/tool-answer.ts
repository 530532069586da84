import type { CallToolResult } from '@modelcontextprotocol/server';

import type { ToolResult } from '../activate/toolsets/tool.ts';
import { failForModel, failureText } from '../agent/model-text.ts';
import type { OutputSchema } from '../agent/tool-output.ts';
import type { Outcome } from '../model/outcome.ts';

/** The key of a failure's stable code in `_meta`. */
const CODE_KEY = 'skillplane/code';

export interface AnswerOptions {
  /** Undefined for a tool that a skill brings. */
  readonly outputSchema: OutputSchema | undefined;
  /** Folders of this machine; no failure may name them. */
  readonly folders: readonly string[];
}

/** Converts the outcome of a tool to an MCP answer: text for the model, and the same as structured data. */
export function toToolAnswer(outcome: Outcome<ToolResult>, { outputSchema, folders }: AnswerOptions): CallToolResult {
  if (!outcome.ok) {
    const text = withoutPaths(failureText(failForModel(outcome)), folders);
    return { isError: true, content: [{ type: 'text', text }], _meta: { [CODE_KEY]: outcome.code } };
  }
  return { content: [{ type: 'text', text: outcome.output }], structuredContent: toStructure(outcome, outputSchema) };
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
