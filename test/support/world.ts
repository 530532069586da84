import { join } from 'node:path';

import { readEnvironment, type Environment } from '../../src/platform/environment.ts';
import { makeTree, type Tree } from './tree.ts';

/** A home and a repository of their own. Nothing of the machine that runs the tests shows through. */
export interface World {
  readonly root: string;
  readonly home: string;
  /** A repository, and the working directory. */
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
  readonly environment: Environment;
}

/** Paths of the tree begin with `home/`, `project/` or `bin/`; only `bin/` is on the PATH. */
export function makeWorld(tree: Tree = {}, variables: Readonly<Record<string, string>> = {}): World {
  const root = makeTree({ 'home/': '', 'project/.git/': '', 'bin/': '', ...tree });
  const home = join(root, 'home');
  const project = join(root, 'project');
  const env = { HOME: home, PATH: join(root, 'bin'), ...variables };
  return { root, home, project, env, environment: readEnvironment({ cwd: project, home, env }) };
}
