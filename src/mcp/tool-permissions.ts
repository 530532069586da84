/** What the tools may do beyond looking: nothing, unless the person who starts the server says so. */
export interface ToolPermissions {
  /** Adds `run_skill_script`; only trusted skills run all the same. */
  readonly allowScripts?: boolean | undefined;
  /** Adds `write_skill`: the model may create skills, and change those that agents wrote. */
  readonly allowWrite?: boolean | undefined;
  /** Adds the tools that trusted skills bring. */
  readonly allowToolsets?: boolean | undefined;
}
