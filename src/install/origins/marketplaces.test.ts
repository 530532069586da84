import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { makeRepository } from '../../../test/support/git-repositories.ts';
import { done, makeInstallWorld, skill } from '../../../test/support/install-world.ts';
import { readInstalled } from '../../../test/support/installed.ts';
import type { Tree } from '../../../test/support/tree.ts';
import { searchRemote } from '../../engine/search-remote.ts';

const json = (value: object): string => JSON.stringify(value, undefined, 2);

/** The names of what a repository with these files offers, and what is said about the rest. */
async function look(tree: Tree): Promise<{ readonly names: readonly string[]; readonly messages: string }> {
  const { env } = makeInstallWorld();
  const found = done(await searchRemote(makeRepository(tree).url, { env, limit: 100 }));
  const names = found.results.map(({ name }) => name).toSorted();
  return { names, messages: found.diagnostics.map(({ message }) => message).join('\n') };
}

test('a Claude Code marketplace offers the skills that its plugins select and those in plugin folders', async () => {
  const { names, messages } = await look({
    '.claude-plugin/marketplace.json': json({
      name: 'team-skills',
      owner: { name: 'Team', email: 'team@host.example' },
      metadata: { description: 'Skills of the team', version: '1.0.0' },
      plugins: [
        { name: 'documents', description: 'x', source: './', strict: false, skills: ['./skills/pdf', './skills/docx'] },
        { name: 'examples', description: 'x', source: './', strict: false, skills: ['./skills/pdf', './more/art'] },
        { name: 'tools', description: 'x', source: './plugins/tools', version: '1.2.0', author: { name: 'A' } },
        { name: 'elsewhere', source: { source: 'github', repo: 'owner/repo' } },
        { name: 'packaged', source: { source: 'npm', package: '@team/plugin' } },
        { name: 'linked', source: { source: 'url', url: 'https://host.example/x.git' } },
      ],
    }),
    'skills/pdf/SKILL.md': skill('pdf'),
    'skills/docx/SKILL.md': skill('docx'),
    'more/art/SKILL.md': skill('art'),
    'plugins/tools/.claude-plugin/plugin.json': json({ name: 'tools', skills: ['./extra/'] }),
    'plugins/tools/skills/lint/SKILL.md': skill('lint'),
    'plugins/tools/extra/format/SKILL.md': skill('format'),
    'plugins/tools/commands/run.md': '# Run\n',
  });
  expect(names).toEqual(['art', 'docx', 'format', 'lint', 'pdf']);
  expect(messages).toContain('the plugin elsewhere is elsewhere; install owner/repo');
  expect(messages).toContain('the plugin packaged is elsewhere; install npm:@team/plugin');
  expect(messages).toContain('the plugin linked is elsewhere; install https://host.example/x.git');
});

test('a Codex marketplace offers the skills of local plugins and nothing outside the repository', async () => {
  const { names } = await look({
    '.agents/plugins/marketplace.json': json({
      name: 'team',
      interface: { displayName: 'Team' },
      plugins: [
        {
          name: 'tools',
          source: { source: 'local', path: './bundles/tools' },
          policy: { installation: 'AVAILABLE', authentication: 'ON_INSTALL' },
          category: 'Productivity',
        },
        { name: 'out', source: { source: 'local', path: '../../outside' } },
      ],
    }),
    'bundles/tools/.codex-plugin/plugin.json': json({ name: 'tools', version: '1.0.0', skills: './skills/' }),
    'bundles/tools/skills/deploy/SKILL.md': skill('deploy'),
  });
  expect(names).toEqual(['deploy']);
});

test('an Agent Plugins manifest hides no skill that lies deeper than skills/', async () => {
  const { names, messages } = await look({
    'plugin.json': json({ $schema: 'https://agentplugins.org/schemas/1.0.0/plugin.json', name: 'team.tools' }),
    'mcp.json': '{}',
    'skills/z/SKILL.md': skill('z'),
    'skills/group/b/SKILL.md': skill('b'),
  });
  expect(names).toEqual(['b', 'z']);
  expect(messages).not.toContain('not a plugin manifest');
});

test('skills with the same name in two plugins are installed side by side under the names of their plugins', async () => {
  const { user, home, plugins } = makeInstallWorld();
  const marketplace = json({
    name: 'm',
    owner: { name: 'o' },
    plugins: ['web', 'api'].map((name) => ({ name, source: `./plugins/${name}` })),
  });
  const repository = makeRepository({
    '.claude-plugin/marketplace.json': marketplace,
    'plugins/web/skills/review/SKILL.md': skill('review'),
    'plugins/api/skills/review/SKILL.md': skill('review'),
    'plugins/api/skills/deploy/SKILL.md': skill('deploy'),
  });
  const { url } = repository;
  expect(await user.install({ url, skills: ['review'] })).toMatchObject({
    ok: false,
    message: 'several skills are called "review" there',
    next: { choose: ['web:review', 'api:review'] },
  });
  done(await user.install({ url, skills: ['api:review'] }));
  expect(readInstalled(home)['api-review']?.locked.path).toBe('plugins/api/skills/review');
  expect(
    done(await user.install({ url, all: true }))
      .installed.map(({ name }) => name)
      .toSorted(),
  ).toEqual(['deploy', 'web-review']);
  repository.commit({ 'plugins/web/skills/review/SKILL.md': skill('review', { version: '2.0.0' }) });
  expect(done(await user.update([], async ({ updates }) => updates)).updated).toMatchObject([{ name: 'web-review' }]);
  expect(existsSync(join(plugins, 'web-review/SKILL.md'))).toBe(true);
});
