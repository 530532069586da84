import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { describe, expect, test } from 'vitest';

import { displayWidth } from '../../src/model/display-width.ts';
import { openSqliteUsage } from '../../src/usage/sqlite-usage.ts';
import type { UsageEvent } from '../../src/usage/usage-store.ts';
import { skillplane, skillplaneOnTerminal } from '../support/command-line.ts';
import { makeTree, skillText, writeTree } from '../support/tree.ts';
import { DAY, recordIn, START, usageEvent } from '../support/usage-events.ts';

async function makeHome(...events: readonly UsageEvent[]): Promise<string> {
  const skill = (name: string): string => skillText({ name, description: 'Does it.' });
  const home = makeTree({
    '.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
    '.agent/skills/pdf/SKILL.md': skill('pdf'),
    '.agent/skills/docx/SKILL.md': skill('docx'),
    '.agent/skills/xlsx/SKILL.md': skill('xlsx'),
  });
  if (events.length > 0) {
    const store = openSqliteUsage(databaseOf(home), () => undefined);
    await recordIn(store, ...events);
    await store.close();
  }
  return home;
}

function databaseOf(home: string): string {
  return join(home, '.agent/skillplane.db');
}

const EVENTS = [
  usageEvent({ at: START }),
  usageEvent({ at: START + DAY, kind: 'ran', outcome: 'failed' }),
  usageEvent({ at: START + DAY, kind: 'searched' }),
  usageEvent({ at: START, skill: 'gone' }),
  usageEvent({ at: START, skill: 'xlsx', kind: 'searched' }),
];

describe('usage', () => {
  test('says that nothing was used where there is no history, and begins none', async () => {
    const home = await makeHome();
    const { code, stdout, stderr } = skillplane(['usage'], { home });
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: 'No skill was used so far.\n\nNever used (3)\n  docx, pdf, xlsx\n',
      stderr: '',
    });
    expect(existsSync(databaseOf(home))).toBe(false);
  });

  test('prints a line with a chart for each skill, what was never used, and what was only searched for', async () => {
    const { code, stdout, stderr } = skillplane(['usage'], { home: await makeHome(...EVENTS) });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [title, ...lines] = stdout.split('\n');
    expect(title).toBe('Used so far (charts begin at 2020-01-01 00:00 UTC)');
    expect(lines[0]).toMatch(/^ {2}pdf {10}[▁-█]{24} {2}2 {2}\d+ \w+ ago {2}↓$/);
    expect(lines[1]).toMatch(/^ {2}gone \(gone\) {2}[▁-█]{24} {2}1 {2}\d+ \w+ ago {2}↓$/);
    expect(lines.slice(2)).toEqual([
      '',
      'Never used (2)',
      '  docx, xlsx',
      '',
      'Found by searches, but never loaded (1)',
      '  xlsx',
      '',
    ]);
  });

  test('--json prints one document', async () => {
    const { code, stdout } = skillplane(['usage', '--json'], { home: await makeHome(...EVENTS) });
    expect(code).toBe(0);
    const pdf = { name: 'pdf', exists: true, uses: 2, loaded: 1, ran: 1, searched: 1, matched: 0, failed: 1 };
    expect(JSON.parse(stdout)).toEqual({
      ok: true,
      since: null,
      skills: [
        {
          ...pdf,
          lastUsed: '2020-01-02T00:00:00.000Z',
          series: expect.arrayContaining([expect.any(Number)]),
          trend: 'falling',
        },
        expect.objectContaining({ name: 'gone', exists: false, lastUsed: '2020-01-01T00:00:00.000Z' }),
        expect.objectContaining({ name: 'xlsx', uses: 0, searched: 1, lastUsed: null }),
      ],
      neverUsed: ['docx', 'xlsx'],
      searchedNeverLoaded: ['xlsx'],
    });
  });

  test('--since counts from then on', async () => {
    const home = await makeHome(...EVENTS);
    const later = skillplane(['usage', '--json', '--since', '2020-01-01T12:00Z'], { home });
    expect(JSON.parse(later.stdout)).toMatchObject({
      since: '2020-01-01T12:00:00.000Z',
      skills: [{ name: 'pdf', uses: 1, loaded: 0, ran: 1 }],
      neverUsed: ['docx', 'xlsx'],
      searchedNeverLoaded: [],
    });
    const { stdout } = skillplane(['usage', '--since', '30m'], { home });
    expect(stdout).toMatch(/^No skill was used since \d{4}-\d\d-\d\d \d\d:\d\d UTC\.\n\nNot used since then \(3\)\n/);
  });

  test.each(['soon', '7', '0d', '2025-02-31', '2999-01-01'])('--since %s is wrong usage', async (since) => {
    const home = await makeHome();
    const { code, stdout, stderr } = skillplane(['usage', '--since', since], { home });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      `skillplane: --since takes 30m, 12h, 7d, 4w, or a past date such as 2026-01-31 or 2026-01-31T10:00Z, not "${since}"\n`,
    );
    const json = skillplane(['usage', '--since', since, '--json'], { home });
    expect(json.code).toBe(2);
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, code: 'USAGE' });
  });

  test('--skill shows one, be it gone, and says what there is where there is none', async () => {
    const home = await makeHome(...EVENTS);
    const one = JSON.parse(skillplane(['usage', '--json', '--skill', 'pdf'], { home }).stdout) as object;
    expect(one).toMatchObject({ skills: [{ name: 'pdf' }], neverUsed: [], searchedNeverLoaded: [] });
    const gone = JSON.parse(skillplane(['usage', '--json', '--skill', 'gone'], { home }).stdout) as object;
    expect(gone).toMatchObject({ ok: true, skills: [{ name: 'gone', exists: false }] });
    expect(skillplane(['usage', '--skill', 'pfd'], { home })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'skillplane: there is no skill "pfd"; there are docx, pdf, xlsx\n',
    });
    const none = skillplane(['usage', '--skill', 'pfd', '--json'], { home });
    expect(JSON.parse(none.stdout)).toMatchObject({ ok: false, code: 'SKILL_NOT_FOUND' });
  });

  test('says so where the configuration keeps no history', async () => {
    const home = await makeHome(...EVENTS);
    writeTree(home, { '.agent/config.yaml': 'skills:\n  usage: false\n' });
    const note = 'No usage history: the configuration turns it off or cannot be read.\n';
    expect(skillplane(['usage'], { home })).toEqual({ code: 0, stdout: '', stderr: note });
    const { stdout, stderr } = skillplane(['usage', '--json'], { home });
    expect(stderr).toBe(note);
    expect(JSON.parse(stdout)).toEqual({ ok: true, since: null, skills: [], neverUsed: [], searchedNeverLoaded: [] });
  });

  test('a broken database is set aside with a warning, and the report is empty', async () => {
    const home = await makeHome();
    writeTree(home, { '.agent/skillplane.db': 'no database' });
    const { code, stdout, stderr } = skillplane(['usage'], { home });
    expect(code).toBe(0);
    expect(stdout).toContain('No skill was used so far.');
    expect(stderr).toMatch(/^warning USAGE_SET_ASIDE .*skillplane\.db: it was damaged.*skillplane\.db\.broken-1, and/);
    expect(skillplane(['usage'], { home }).stderr).toBe('');
    expect(readdirSync(join(home, '.agent'))).toContain('skillplane.db.broken-1');
  });

  test('a database of a newer version is a failure with one sentence', async () => {
    const home = await makeHome(...EVENTS);
    const database = new DatabaseSync(databaseOf(home));
    database.exec('PRAGMA user_version = 99');
    database.close();
    expect(skillplane(['usage'], { home })).toEqual({
      code: 1,
      stdout: '',
      stderr: `skillplane: ${databaseOf(home)} cannot be read: a newer version of Skillplane created it; this one leaves it alone\n`,
    });
  });

  test('fits into a narrow terminal, however many skills there are', async () => {
    const names = Array.from({ length: 200 }, (_, at) => `skill-number-${at}`);
    const home = await makeHome(...EVENTS, usageEvent({ skill: `a-name-${'x'.repeat(60)}` }));
    writeTree(
      home,
      Object.fromEntries(
        names.map((name) => [`.agent/skills/${name}/SKILL.md`, skillText({ name, description: 'Does it.' })]),
      ),
    );
    const lines = skillplaneOnTerminal(['usage'], { home, columns: 50, env: { NO_COLOR: '1' } }).split('\n');
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(50);
    expect(lines.join('\n')).toContain('Never used (202)');
    expect(lines.join('\n')).toContain('and more; --json lists all');
  });
});

describe('doctor', () => {
  const usageRow = (home: string): string =>
    /^.* usage .*(?:\n {10}.*)?/m.exec(skillplane(['doctor'], { home }).stdout)?.[0] ?? '';

  test('says where the history of use is and how large, or why there is none', async () => {
    const home = await makeHome(...EVENTS);
    expect(usageRow(home)).toMatch(/^✓ usage {4}.*\.agent\/skillplane\.db \(\d+ KiB\)$/);
    expect(usageRow(await makeHome())).toMatch(/^✓ usage {4}.*\.agent\/skillplane\.db \(nothing recorded yet\)$/);
    writeTree(home, { '.agent/config.yaml': 'skills:\n  usage: false\n' });
    expect(usageRow(home)).toBe('· usage    no usage history: `usage` is false');
  });

  test('says that it is broken, and leaves it to the next use', async () => {
    const home = await makeHome();
    writeTree(home, { '.agent/skillplane.db': 'no database' });
    expect(usageRow(home)).toBe(
      `! usage    ${databaseOf(home)}: it is damaged, or not a database of Skillplane\n           → Nothing to do: the next use sets it aside and starts a new one.`,
    );
    expect(readdirSync(join(home, '.agent')).filter((name) => name.includes('broken'))).toEqual([]);
  });
});
