import { HOST_IDS, type HostId } from './agents.ts';

const OTHERS = ['spec', 'claude.ai', 'mcp', 'gh-skill'] as const;

export type TargetId = HostId | (typeof OTHERS)[number];

/** Programs and specifications that skills are given to; `publish/targets/` says what each makes of a skill. */
export const TARGET_IDS: readonly TargetId[] = [...OTHERS, ...HOST_IDS];

/** The programs that `emit` writes files for. */
export const EMIT_TARGETS = ['claude-code', 'codex', 'copilot', 'cursor', 'gemini', 'agent-plugins'] as const;

export type EmitTarget = (typeof EMIT_TARGETS)[number];
