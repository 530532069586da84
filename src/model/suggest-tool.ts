/** The tool of our MCP server that answers hooks. Its name is part of the settings of hosts, so it never changes. */
export const SUGGEST_TOOL = 'suggest';
