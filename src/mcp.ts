/** Skillplane as an MCP server, over the skills that `openSkills` opened. */

/** Offers skills to MCP clients. `connect()` returns a server for a transport of your own. */
export { createMcpServer, type SkillServer } from './mcp/skill-server.ts';
export type { McpOptions } from './mcp/server-options.ts';
/** Serves one client over a pair of streams. */
export { serveStdio, type StdioOptions } from './mcp/serve-stdio.ts';
/** Serves many clients over Streamable HTTP. */
export { serveHttp, type HttpOptions, type HttpService } from './mcp/serve-http.ts';
/** A `fetch` handler for an existing HTTP server. */
export { openHttpHandler, type HandlerOptions, type HttpHandler } from './mcp/http-handler.ts';
/** Reads the token that clients of `serveHttp` must send. */
export { readToken } from './platform/http/token.ts';
