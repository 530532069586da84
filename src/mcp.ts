/** Skillplane as an MCP server, over the skills that `openSkills` opened. */

/** Offers skills to MCP clients. `connect()` returns a server for a transport of your own. */
export { createMcpServer, type SkillServer } from './mcp/skill-server.ts';
export type { McpOptions } from './mcp/server-options.ts';
/** Serves one client over a pair of streams. */
export { serveStdio, type StdioOptions } from './mcp/serve-stdio.ts';
/** Serves many clients over Streamable HTTP; `openHttpHandler` is a `fetch` function for an existing HTTP server. */
export {
  openHttpHandler,
  serveHttp,
  type HandlerOptions,
  type HttpHandler,
  type HttpOptions,
  type HttpService,
} from './mcp/serve-http.ts';
