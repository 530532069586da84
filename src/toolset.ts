/** Defines tools. Toolsets of skills import this as `skillplane/toolset` or `@agent/tools`. */

export {
  Tool,
  type ToolAnswer,
  type ToolContext,
  type ToolDefinition,
  type ToolResult,
} from './activate/toolsets/tool.ts';
