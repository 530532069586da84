import { McpServer } from '@modelcontextprotocol/server';

import type { Skills } from '../engine/open-skills.ts';
import { VERSION } from '../model/version.ts';
import { writeInstructions } from './instructions.ts';
import { openChanges } from './live-changes.ts';
import { attachPrompts } from './prompt-handlers.ts';
import { openSkillResources } from './resource-handlers.ts';
import type { ServerReports } from './server-reports.ts';
import { openToolHandlers } from './tool-handlers.ts';
import type { ToolPermissions } from './tool-permissions.ts';

export interface McpOptions extends ToolPermissions, Partial<ServerReports> {
  /** What the server's instructions may cost, in tokens; 1,000. */
  readonly budget?: number | undefined;
}

/** The skills as an MCP server. */
export interface SkillServer extends Disposable {
  /** A server for one connection or request, in whichever era of the protocol; all share what was read once. */
  connect(): Promise<McpServer>;
  /** Calls `listener` when skills were added, changed or removed on disk; gives what ends that. */
  onChange(listener: () => void): Disposable;
  /** Resolves when no call runs any more. */
  idle(): Promise<void>;
}

/** Everything that MCP clients are offered of these skills; `serveStdio` and `serveHttp` bring it to them. */
export function createMcpServer(skills: Skills, options: McpOptions = {}): SkillServer {
  const { budget, onError = ignore, onTrouble = ignore, ...permissions } = options;
  const reports = { onError, onTrouble };
  const tools = openToolHandlers(skills, permissions, reports);
  const resources = openSkillResources(skills, onError);
  const changes = openChanges(skills, { onError, onSkills: (changed) => tools.reload(changed) });
  const instructions = rememberInstructions(skills, budget);
  return {
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

/** Written once for each look at the skills. */
function rememberInstructions(skills: Skills, budget: number | undefined): () => Promise<string> {
  const written = new WeakMap<object, Promise<string>>();
  return () => {
    const catalog = skills.catalog();
    const text = written.get(catalog) ?? writeInstructions(skills, budget);
    written.set(catalog, text);
    return text;
  };
}
