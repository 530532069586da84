/** Skillplane as an MCP server. Everything here is public; it needs `openSkills` of the package's root. */

/** What MCP clients are offered of skills; a server for each connection, for hosts that bring their own transport. */
export { createMcpServer, type McpOptions, type SkillServer } from './skill-server.ts';
/** Brings it to one client over a pair of streams. */
export { serveStdio, type StdioOptions } from './serve-stdio.ts';
/** Brings it to many over Streamable HTTP. */
export { serveHttp, type HttpOptions, type HttpService } from './serve-http.ts';
/** The same for an HTTP server that is there already. */
export { openHttpHandler, type HandlerOptions, type HttpHandler } from './http-handler.ts';
