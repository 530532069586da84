/** What a toolset gets when it imports `@agent/tools`; `skillplane` exports the same names. */
export { Tool, type ToolAnswer, type ToolContext, type ToolDefinition, type ToolResult } from './tool.ts';
