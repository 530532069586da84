import { describe, expect, test } from 'vitest';

import { customSource, sourceTable } from './table.ts';

describe('the source table', () => {
  test('has the default sources with their folders and priorities', () => {
    const rows = sourceTable
      .filter(({ isDefault, priority }) => isDefault && priority !== 35)
      .map(({ id, place, level, priority, requireDescription }) => [id, place, level, priority, requireDescription]);
    expect(rows).toEqual([
      ['plugin', '{pluginsDir}', 'user', 100, false],
      ['project', './.agent/skills', 'project', 90, true],
      ['agents-project', './.agents/skills', 'project', 85, false],
      ['claude-project', './.claude/skills', 'project', 80, false],
      ['codex-project', './.codex/skills', 'project', 75, false],
      ['user', '{userDir}', 'user', 60, true],
      ['agent-written', '{agentSkillsDir}', 'user', 58, true],
      ['agents-user', '~/.agents/skills', 'user', 55, false],
      ['claude-user', '~/.claude/skills', 'user', 50, false],
      ['claude-plugins', '~/.claude/plugins', 'user', 45, false],
      ['codex-user', '~/.codex/skills', 'user', 40, false],
      ['npm-project', './node_modules/{npmPackages}', 'project', 20, false],
      ['bundled', '{bundled}', 'bundled', 10, false],
    ]);
  });

  test("has other agents' sources below these, on at home and off in a project, which a clone may bring", () => {
    const others = sourceTable.filter(({ priority }) => priority === 70 || priority === 35);
    const families = new Set(others.map((row) => row.id.replace(/-(?:project|user)$/, '')));
    for (const agent of ['gemini', 'opencode', 'cursor', 'github', 'goose', 'windsurf', 'roo']) {
      expect(families).toContain(agent);
    }
    for (const { id, level, priority, requireDescription, place, isDefault } of others) {
      expect([id, priority, requireDescription]).toEqual([id, level === 'project' ? 70 : 35, false]);
      expect([id, isDefault]).toEqual([id, level === 'user']);
      expect(id.endsWith(`-${level}`)).toBe(true);
      expect(place.startsWith(level === 'project' ? './' : '~/')).toBe(true);
    }
  });

  test('names every source and every folder once', () => {
    const ids = sourceTable.map((row) => row.id);
    const places = sourceTable.map((row) => row.place);
    expect([new Set(ids).size, new Set(places).size]).toEqual([ids.length, places.length]);
  });

  test('has a single tree: the plugins of Claude Code', () => {
    expect(sourceTable.filter((row) => row.layout === 'tree').map((row) => row.id)).toEqual(['claude-plugins']);
  });
});

test('a custom directory requires descriptions and ranks between agents and bundled skills', () => {
  expect(customSource(2, 'user')).toEqual({
    id: 'custom:2',
    group: 'Custom',
    level: 'user',
    priority: 30,
    requireDescription: true,
    layout: 'skills',
  });
});
