/** Opens skills of your own making, for the tests of what you build on Skillplane. */

import { join } from 'node:path';

import { openSkills, type Skills } from './engine/open-skills.ts';
import { readEnvironment } from './platform/environment.ts';
import { makeTemporaryTree, writeTree, type Link, type Tree } from './platform/files/temporary-tree.ts';

export type { Link, Tree };
/** The promises that every source of skills keeps, for your own. */
export { sourceContract, type SourcePromise, type SourceUnderTest } from './engine/source-contract.ts';

export interface TestSkillsOptions {
  /** The user's `config.yaml`. Default: the bundled skills are off. */
  readonly config?: string;
  /** Further variables of the environment; by default there is only `HOME` and the `PATH` of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface TestSkills extends Skills {
  /** The folder of the skills. */
  readonly dir: string;
  /** Adds or replaces files; `refresh` finds what changed. */
  write(tree: Tree): void;
}

/**
 * Opens the skills of a tree such as `{ 'pdf/SKILL.md': skillText({ name: 'pdf', description: 'Fill PDF forms.' }) }` as a
 * user's own, which are trusted. Nothing of this machine's skills, configuration or history shows through. Disposing
 * removes everything.
 */
export async function openTestSkills(tree: Tree, options: TestSkillsOptions = {}): Promise<TestSkills> {
  const { config = 'skills:\n  disabledSources: [bundled]\n', env = {} } = options;
  const files = makeTemporaryTree({ 'home/.agent/config.yaml': config, 'project/.git/': '' });
  const home = join(files.root, 'home');
  const { PATH } = readEnvironment().variables;
  const dir = join(home, '.agent/skills');
  writeTree(dir, tree);
  const skills = await openSkills({ cwd: join(files.root, 'project'), home, env: { HOME: home, PATH, ...env } });
  const close = async (): Promise<void> => {
    await skills.close();
    files[Symbol.dispose]();
  };
  return { ...skills, dir, write: (more) => writeTree(dir, more), close, [Symbol.asyncDispose]: close };
}

/** A SKILL.md with these frontmatter fields. */
export function skillText(fields: Readonly<Record<string, unknown>>, body = '# Title\n\nInstructions.\n'): string {
  const lines = Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `---\n${lines.join('\n')}\n---\n\n${body}`;
}
