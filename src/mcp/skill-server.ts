import { McpServer } from '@modelcontextprotocol/server';

import type { Skills } from '../engine/open-skills.ts';
import { VERSION } from '../model/version.ts';
import { toKnownClient, writeInstructions, type InstructionOptions } from './instructions.ts';
import { openChanges } from './live-changes.ts';
import { attachPrompts } from './prompt-handlers.ts';
import { openSkillResources } from './resource-handlers.ts';
import { listDeeds, type Deed, type McpOptions } from './server-options.ts';
import { openToolHandlers } from './tool-handlers.ts';

/** The skills as an MCP server. */
export interface SkillServer extends Disposable {
  /** The rights of its tools beyond reading; empty if they only read. */
  readonly allows: readonly Deed[];
  /**
   * Creates a server for one connection or request, in either version of the protocol. All servers share their caches.
   * `announces` is false if the client cannot hear of changes; true by default. `client` is the name that the client gives itself:
   * the instructions are as long as it reads.
   */
  connect(options?: { readonly announces?: boolean; readonly client?: string | undefined }): Promise<McpServer>;
  /** Calls `listener` when skills are added, changed or removed on disk, until the result is disposed. */
  onChange(listener: () => void): Disposable;
  /** Resolves when no call is running. */
  idle(): Promise<void>;
  /** Stops watching the skills; `using` does the same. */
  close(): void;
}

/** Creates a server that offers these skills to MCP clients. Connect it with `serveStdio` or `serveHttp`. */
export function createMcpServer(skills: Skills, options: McpOptions = {}): SkillServer {
  const {
    budget,
    contextFiles,
    hints,
    structured,
    ctx,
    onError = ignore,
    onTrouble = ignore,
    ...permissions
  } = options;
  const reports = { onError, onTrouble };
  const tools = openToolHandlers(skills, { ...permissions, hints, structured, ctx }, reports);
  const resources = openSkillResources(skills, onError);
  const changes = openChanges(skills, onError);
  const instructions = rememberInstructions(skills, { budget, contextFiles, allowScripts: permissions.allowScripts });
  const close = (): void => changes[Symbol.dispose]();
  return {
    allows: listDeeds(permissions),
    async connect({ announces: listChanged = true, client } = {}) {
      const server = new McpServer(
        { name: 'skillplane', title: 'Skillplane', version: VERSION },
        {
          instructions: await instructions(toKnownClient(hints?.host ?? client)),
          capabilities: { tools: { listChanged }, prompts: { listChanged }, resources: { listChanged } },
        },
      );
      resources.attach(server);
      tools.attach(server);
      attachPrompts(server, skills, reports);
      return server;
    },
    onChange: (listener) => changes.onChange(listener),
    idle: () => tools.idle(),
    close,
    [Symbol.dispose]: close,
  };
}

function ignore(): void {
  return undefined;
}

/** Cached per catalog and known client. */
function rememberInstructions(
  skills: Skills,
  options: Omit<InstructionOptions, 'client'>,
): (client: InstructionOptions['client']) => Promise<string> {
  const written = new WeakMap<object, Map<InstructionOptions['client'], Promise<string>>>();
  return (client) => {
    const catalog = skills.catalog();
    const texts = written.get(catalog) ?? new Map<InstructionOptions['client'], Promise<string>>();
    written.set(catalog, texts);
    const text = texts.get(client) ?? writeInstructions(skills, { ...options, client });
    texts.set(client, text);
    return text;
  };
}
