import type { Skills } from '../engine/open-skills.ts';
import type { HostId } from '../model/agents.ts';

/** Rights of the tools beyond reading. All are off unless the person who starts the server allows them. */
export interface ToolPermissions {
  /** Adds `run_skill_script`. Only trusted skills run. */
  readonly allowScripts?: boolean | undefined;
  /** With `allowScripts`: a folder in which scripts work, and which they may change. By default each works in a copy of its skill. */
  readonly workspace?: string | undefined;
  /** Adds `write_skill`: the model may create skills, and change those that agents wrote. */
  readonly allowWrite?: boolean | undefined;
  /** Adds the tools of trusted skills. */
  readonly allowToolsets?: boolean | undefined;
}

/** Something that tools do beyond reading. */
export type Deed = 'run scripts' | 'write skills' | 'call the tools of skills';

export function listDeeds({ allowScripts, allowWrite, allowToolsets }: ToolPermissions): readonly Deed[] {
  return [
    ...(allowScripts === true ? (['run scripts'] as const) : []),
    ...(allowWrite === true ? (['write skills'] as const) : []),
    ...(allowToolsets === true ? (['call the tools of skills'] as const) : []),
  ];
}

/** Receives problems of the server. Clients hear of none of them. */
export interface ServerReports {
  /** A bug, or a failure of the system. */
  readonly onError: (error: unknown) => void;
  /** A problem that a person can fix. */
  readonly onTrouble: (message: string) => void;
}

/** Whose prompt hook the server answers, and over which skills. */
export interface HintOptions {
  readonly host: HostId;
  readonly skills: Skills;
}

export interface McpOptions extends ToolPermissions, Partial<ServerReports> {
  /**
   * Adds structured data and its schemas to answers, for clients that are programs: several clients show their model
   * the data instead of the text. Off by default; the data is then in `_meta`, which no model sees.
   */
  readonly structured?: boolean | undefined;
  /** Adds the tool `ctx`, which offers the other tools in the CTX language. */
  readonly ctx?: boolean | undefined;
  /** The most that the server's instructions may cost, in tokens; 1,000. Claude Code gets no more than it reads, 2,000 bytes. */
  readonly budget?: number | undefined;
  /**
   * Adds the AGENTS.md files of the working directory and above to the instructions, in at most 8,000 more tokens. Off by
   * default, because most clients read them anyway.
   */
  readonly contextFiles?: boolean | undefined;
  /** Adds the tool `suggest`, which answers the prompt hook of a host. */
  readonly hints?: HintOptions | undefined;
}
