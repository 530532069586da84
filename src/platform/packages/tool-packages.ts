import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { attempt } from '../errors.ts';
import { removeFile } from '../files/remove-tree.ts';
import { dependencyFolder, packageFile } from '../package-file.ts';

/**
 * Links the packages that toolsets import beside the skills of a folder, so that their own tests find them, as by `node --test`.
 * The links lead into this installation of Skillplane, and git ignores them. A failure is harmless: toolsets load without them.
 */
export function linkToolPackages(skillsDir: string): void {
  const modules = join(skillsDir, 'node_modules');
  const zod = dependencyFolder('zod');
  if (zod === undefined) return;
  attempt(() => {
    mkdirSync(join(modules, '@agent'), { recursive: true });
    writeFileSync(join(modules, '.gitignore'), '*\n');
    const links = { '@agent/tools': packageFile('data/agent-tools'), zod };
    for (const [name, target] of Object.entries(links)) {
      removeFile(join(modules, name));
      symlinkSync(target, join(modules, name), 'junction');
    }
  });
}
