import { cpSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect, test } from 'vitest';

import { VERSION } from '../src/model/version.ts';
import { runModule } from './support/child.ts';
import { makeTree } from './support/tree.ts';

test('toolsets find our own modules from the package as it is installed, too', async () => {
  const toolset = `
    import { z } from 'zod';
    import { Tool } from '@agent/tools';
    import { VERSION } from 'skillplane';
    export const T: unknown = Tool.define('version', {
      description: 'Says the version.',
      parameters: z.object({ before: z.string() }),
      execute: ({ before }: { before: string }) => before + VERSION,
    });`;
  const root = makeTree({ 'my skills/hello/tools.ts': toolset, 'node_modules/skillplane/': '' });
  const installed = join(root, 'node_modules/skillplane');
  cpSync('dist', join(installed, 'dist'), { recursive: true });
  cpSync('package.json', join(installed, 'package.json'));
  for (const name of ['jiti', 'picomatch', 're2js', 'yaml', 'zod'])
    symlinkSync(resolve('node_modules', name), join(root, 'node_modules', name));
  const code = `
    import { loadToolset } from ${JSON.stringify(pathToFileURL(join(installed, 'dist/activate/toolsets.js')).href)};
    const [realDir] = process.argv.slice(1);
    const located = { skill: { name: 'hello', dir: realDir, toolsets: [] }, realDir };
    const { tools } = await loadToolset(located, 'tools:T', { isTrusted: () => ({ ok: true }) });
    console.log(JSON.stringify(await tools[0].execute({ before: 'version ' })));`;
  expect(await runModule(code, [join(root, 'my skills/hello')])).toMatchObject({
    ok: true,
    output: `version ${VERSION}`,
  });
});
