/** Skillplane as an MCP server. Everything here is public; it needs `openSkills` of the package's root. */

/** What MCP clients are offered of skills; a server for each connection, for hosts that bring their own transport. */
export { createMcpServer, type McpOptions, type SkillServer } from './mcp/skill-server.ts';
/** Brings it to one client over a pair of streams. */
export { serveStdio, type StdioOptions } from './mcp/serve-stdio.ts';
/** Brings it to many over Streamable HTTP. */
export { serveHttp, type HttpOptions, type HttpService } from './mcp/serve-http.ts';
/** The same for an HTTP server that is there already. */
export { openHttpHandler, type HandlerOptions, type HttpHandler } from './mcp/http-handler.ts';
/** Reads the token that clients of `serveHttp` must send from a file. */
export { readToken } from './platform/http/token-file.ts';
/** Sets up MCP clients: prints or writes their configuration. */
export { CLIENT_NAMES, type ClientName, type Connection } from './mcp/client-table.ts';
export { configureClient, type ClientConfig } from './mcp/client-config.ts';
