/** An AGENTS.md file that applies to a working directory. */
export interface ContextFile {
  readonly path: string;
  /** 0 in the working directory itself, 1 in its parent, and so on. */
  readonly depth: number;
  /** `project` in the repository of the working directory, `user` above it. */
  readonly level: 'project' | 'user';
  /** At most 32,768 characters. */
  readonly text: string;
  /** Why `text` is empty or only the beginning of the file. */
  readonly fault?: string;
}
