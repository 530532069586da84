/** Makes tools. A skill's toolset imports this, as `skillplane/toolset` or as `@agent/tools`. */

export {
  Tool,
  type ToolAnswer,
  type ToolContext,
  type ToolDefinition,
  type ToolResult,
} from './activate/toolsets/tool.ts';
