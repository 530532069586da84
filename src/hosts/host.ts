import type { Environment } from '../platform/environment.ts';

/** The agent programs that we know well: what they see, their switches, their histories and their hooks. */
export const HOST_IDS = ['claude-code', 'codex', 'cursor', 'copilot', 'gemini', 'opencode'] as const;

export type HostId = (typeof HOST_IDS)[number];

/** Where a host runs: whose home, which directory, which variables. */
export type HostPlace = Pick<Environment, 'cwd' | 'home' | 'variables'>;

/**
 * An agent program that reads skills from folders of its own. Each part besides its identity is optional: a host without a
 * part cannot do that. Hosts change often, so every fact about one is in that host's folder alone.
 */
export interface Host {
  readonly id: HostId;
  /** Its name for people. */
  readonly title: string;
  /** The version in which the facts were seen. */
  readonly seenIn: string;
  /** The command that starts it. */
  readonly program: string;
  /** The folder with its configuration, its state and mostly its history. */
  folder(place: HostPlace): string;
}
