import { SUGGEST_TOOL } from '../../model/suggest-tool.ts';
import type { Json } from '../history/json-value.ts';

/** Something that a host tells its hook. */
export type HookEvent = PromptEvent | UseEvent;

interface Happened {
  readonly session: string;
  readonly cwd?: string | undefined;
}

/** The user sent a message. */
export interface PromptEvent extends Happened {
  readonly kind: 'prompt';
  readonly prompt: string;
  /** The file of this conversation; a relative path is one in the host's folder. */
  readonly transcript?: string | undefined;
  /** Skills that are in the conversation, if the host itself knows them. */
  readonly active?: readonly string[] | undefined;
}

/** A tool ran that may have been a skill. */
export interface UseEvent extends Happened {
  readonly kind: 'use';
  /** Its id in the agent's history; undefined if only the history identifies the use. */
  readonly id?: string | undefined;
  readonly skills: readonly string[];
}

/** How a host is to ask us. */
export interface HookCall {
  /** The words of the command that answers the host. */
  readonly command: readonly string[];
  /** The name of our MCP server in the host's settings, if that is to answer instead of a process. */
  readonly server?: string | undefined;
  /** Also tell us of tools that ran. */
  readonly recordsUse: boolean;
}

/** Something of ours in a file of a host. Files are relative to the host's folder. */
export type HookPiece =
  /** An element of a list, at a path of keys in a JSON file. */
  | { readonly kind: 'element'; readonly file: string; readonly at: readonly string[]; readonly value: object }
  /** A value that the file needs; one that is there already stays. */
  | { readonly kind: 'value'; readonly file: string; readonly at: readonly string[]; readonly value: unknown }
  /** A file that is wholly ours. */
  | { readonly kind: 'file'; readonly file: string; readonly text: string };

/** The hook of a host by which it tells us of messages, and takes a hint for its model. Loading this must stay cheap. */
export interface HostHook {
  /** Can it ask an MCP server without starting a process? */
  readonly canAskServer: boolean;
  /** By this its file shows that it tells us of uses: an event of hooks, or a text in a file that is wholly ours. */
  readonly useMark: string;
  /** Our pieces of its files. */
  pieces(call: HookCall): readonly HookPiece[];
  /** Undefined if the event does not concern us. */
  readEvent(event: Json): HookEvent | undefined;
  /** The hint in the shape in which the host takes it. */
  render(hint: string): string;
  /** A skill's name as a model of this host knows it. */
  spell(name: string): string;
  /** Tells the model how to load a skill. */
  readonly loading: string;
  /** The name of our tool `load_skill` for a model of this host, if known. */
  readonly loadTool?: string;
  /** The steps left to a person once the hook is written. */
  readonly afterwards: string;
}

/** Seconds after which a host gives up on us. Far more than it takes. */
export const HOOK_TIMEOUT_S = 5;

/** The hook that asks the MCP server. Both hosts that can do it know this form; `fields` are those of their event. */
export function askServer(server: string, fields: Readonly<Record<string, string>>): object {
  return { type: 'mcp_tool', server, tool: SUGGEST_TOOL, input: fields, timeout: HOOK_TIMEOUT_S };
}

/** The answer of hosts that took over the form of Claude Code. */
export function renderSpecific(event: string, hint: string): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: hint } });
}
