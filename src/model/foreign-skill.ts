/** The tools whose records are read. */
export type ForeignTool = 'skills' | 'dotagents' | 'openskills' | 'gh skill' | 'Claude Code plugins';

/** A skill that another tool installed, as its records say. All of it is hostile text until it is checked. */
export interface ForeignSkill {
  readonly name: string;
  readonly tool: ForeignTool;
  /** The folder with its files on this machine. */
  readonly folder: string;
  /** Undefined if the tool does not say where the skill came from. */
  readonly from?: ForeignOrigin | undefined;
}

/** Where another tool says that a skill came from. */
export interface ForeignOrigin {
  /** As one could write it after `install`. */
  readonly address: string;
  readonly ref?: string | undefined;
  /** Few tools record it. */
  readonly commit?: string | undefined;
  /** The skill's folder there; empty for the root. */
  readonly path: string;
}
