import { McpServer } from '@modelcontextprotocol/server';

import type { Skills } from '../engine/open-skills.ts';
import { VERSION } from '../model/version.ts';
import { writeInstructions } from './instructions.ts';
import { openChanges } from './live-changes.ts';
import { attachPrompts } from './prompt-handlers.ts';
import { openSkillResources } from './resource-handlers.ts';
import { listDeeds, type Deed, type McpOptions } from './server-options.ts';
import { openToolHandlers } from './tool-handlers.ts';

/** The skills as an MCP server. */
export interface SkillServer extends Disposable {
  /** The rights of its tools beyond reading; empty if they only read. */
  readonly allows: readonly Deed[];
  /** Creates a server for one connection or request, in either version of the protocol. All servers share their caches. */
  connect(): Promise<McpServer>;
  /** Calls `listener` when skills are added, changed or removed on disk, until the result is disposed. */
  onChange(listener: () => void): Disposable;
  /** Resolves when no call is running. */
  idle(): Promise<void>;
}

/** Creates a server that offers these skills to MCP clients. Connect it with `serveStdio` or `serveHttp`. */
export function createMcpServer(skills: Skills, options: McpOptions = {}): SkillServer {
  const { budget, contextFiles, hints, onError = ignore, onTrouble = ignore, ...permissions } = options;
  const reports = { onError, onTrouble };
  const tools = openToolHandlers(skills, { ...permissions, hints }, reports);
  const resources = openSkillResources(skills, onError);
  const changes = openChanges(skills, { onError, onSkills: (changed) => tools.reload(changed) });
  const instructions = rememberInstructions(skills, { budget, contextFiles });
  return {
    allows: listDeeds(permissions),
    async connect() {
      const server = new McpServer(
        { name: 'skillplane', title: 'Skillplane', version: VERSION },
        {
          instructions: await instructions(),
          capabilities: {
            tools: { listChanged: true },
            prompts: { listChanged: true },
            resources: { listChanged: true },
          },
        },
      );
      resources.attach(server);
      tools.attach(server);
      attachPrompts(server, skills, reports);
      return server;
    },
    onChange: (listener) => changes.onChange(listener),
    idle: () => tools.idle(),
    [Symbol.dispose]: () => changes[Symbol.dispose](),
  };
}

function ignore(): void {
  return undefined;
}

/** Cached per catalog. */
function rememberInstructions(
  skills: Skills,
  options: Pick<McpOptions, 'budget' | 'contextFiles'>,
): () => Promise<string> {
  const written = new WeakMap<object, Promise<string>>();
  return () => {
    const catalog = skills.catalog();
    const text = written.get(catalog) ?? writeInstructions(skills, options);
    written.set(catalog, text);
    return text;
  };
}
