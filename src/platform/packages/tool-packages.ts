import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { attempt } from '../errors.ts';
import { removeFile } from '../files/remove-tree.ts';
import { dependencyFolder, packageFile } from '../package-file.ts';

/**
 * Links the packages that toolsets import next to a folder's skills, so that their tests find them, for example with
 * `node --test`. Git ignores the links, which point into this installation. Failures are ignored: toolsets load without
 * them.
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
