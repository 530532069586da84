/** The agent programs that we know well: what they see, their switches, their histories and their hooks. */
export const HOST_IDS = ['claude-code', 'codex', 'cursor', 'copilot', 'gemini', 'opencode'] as const;

export type HostId = (typeof HOST_IDS)[number];
