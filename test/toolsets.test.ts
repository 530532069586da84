import { cpSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect, test } from 'vitest';

import { VERSION } from '../src/model/version.ts';
import { runModule } from './support/child.ts';
import { makeTree, skillText } from './support/tree.ts';

test('a toolset can import our modules from the installed package', async () => {
  const toolset = `
    import { z } from 'zod';
    import { Tool } from '@agent/tools';
    import { VERSION } from 'skillplane';
    export const T: unknown = Tool.define('version', {
      description: 'Says the version.',
      parameters: z.object({ before: z.string() }),
      execute: ({ before }: { before: string }) => before + VERSION,
    });`;
  const root = makeTree({
    'home/.agent/skills/hello/SKILL.md': skillText({ name: 'hello', description: 'Says it.', toolsets: ['tools:T'] }),
    'home/.agent/skills/hello/tools.ts': toolset,
    'node_modules/skillplane/': '',
  });
  const installed = join(root, 'node_modules/skillplane');
  cpSync('dist', join(installed, 'dist'), { recursive: true });
  cpSync('package.json', join(installed, 'package.json'));
  for (const name of ['jiti', 'js-yaml', 're2js', 'yaml', 'zod'])
    symlinkSync(resolve('node_modules', name), join(root, 'node_modules', name));
  const code = `
    import { openSkills } from ${JSON.stringify(pathToFileURL(join(installed, 'dist/index.js')).href)};
    const [home] = process.argv.slice(1);
    await using skills = await openSkills({ cwd: home, home, env: { HOME: home } });
    console.log(JSON.stringify(await skills.toolsets.call('hello', 'version', { args: { before: 'version ' } })));`;
  expect(await runModule(code, [join(root, 'home')])).toMatchObject({ ok: true, output: `version ${VERSION}` });
});
