import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { describe, expect, test } from 'vitest';

import { checkCommands } from '../../src/cli/command-table/check.ts';
import { HOST_IDS } from '../../src/model/agents.ts';
import { displayWidth } from '../../src/model/display-width.ts';
import { openSqliteUsage } from '../../src/usage/sqlite-usage.ts';
import type { UsageEvent } from '../../src/usage/usage-store.ts';
import { skillplane, skillplaneOnTerminal } from '../support/command-line.ts';
import { jsonLines } from '../support/transcripts.ts';
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
  test('says that nothing was used if there is no history, and creates none', async () => {
    const home = await makeHome();
    const { code, stdout, stderr } = await skillplane(['usage'], { home });
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: 'No skill has been used yet.\n\nNever used (3)\n  docx, pdf, xlsx\n',
      stderr: '',
    });
    expect(existsSync(databaseOf(home))).toBe(false);
  });

  test('prints a chart line per skill, the unused skills, and those that were only searched for', async () => {
    const { code, stdout, stderr } = await skillplane(['usage'], { home: await makeHome(...EVENTS) });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [title, ...lines] = stdout.split('\n');
    expect(title).toBe('Skills used (charts start 2020-01-01 00:00 UTC)');
    expect(lines[0]).toMatch(/^ {2}pdf {10}[▁-█]{24} {2}2 {2}\d+ \w+ ago {2}↓$/);
    expect(lines[1]).toMatch(/^ {2}gone \(gone\) {2}[▁-█]{24} {2}1 {2}\d+ \w+ ago {2}↓$/);
    expect(lines.slice(2)).toEqual([
      '',
      'Never used (2)',
      '  docx, xlsx',
      '',
      'Found in searches but never loaded (1)',
      '  xlsx',
      '',
    ]);
  });

  test('--json prints one document', async () => {
    const { code, stdout } = await skillplane(['usage', '--json'], { home: await makeHome(...EVENTS) });
    expect(code).toBe(0);
    const pdf = { name: 'pdf', exists: true, uses: 2, loaded: 1, ran: 1, searched: 1, matched: 0, failed: 1 };
    const week = {
      name: '2019-12-30',
      uses: 3,
      invoked: 0,
      series: [3],
      skills: [
        ['pdf', 2],
        ['gone', 1],
      ],
    };
    expect(JSON.parse(stdout)).toEqual({
      ok: true,
      from: '2020-01-01T00:00:00.000Z',
      until: expect.any(String),
      skills: [
        {
          ...pdf,
          invoked: 0,
          shown: 0,
          cut: 0,
          hinted: 0,
          followed: 0,
          tokens: 0,
          agents: { ann: 2 },
          lastUsed: '2020-01-02T00:00:00.000Z',
          series: expect.arrayContaining([expect.any(Number)]),
          trend: 'falling',
        },
        expect.objectContaining({ name: 'gone', exists: false, lastUsed: '2020-01-01T00:00:00.000Z' }),
        expect.objectContaining({ name: 'xlsx', uses: 0, searched: 1 }),
      ],
      neverUsed: ['docx', 'xlsx'],
      searchedNeverLoaded: ['xlsx'],
      neverShown: ['docx', 'xlsx'],
      shownNeverUsed: [],
      cut: [],
      agents: [{ ...week, name: 'ann' }],
      projects: [{ ...week, name: '/project' }],
      weeks: [week],
    });
  });

  test('--since counts only later uses', async () => {
    const home = await makeHome(...EVENTS);
    const later = await skillplane(['usage', '--json', '--since', '2020-01-01T12:00Z'], { home });
    expect(JSON.parse(later.stdout)).toMatchObject({
      from: '2020-01-01T12:00:00.000Z',
      skills: [{ name: 'pdf', uses: 1, loaded: 0, ran: 1 }],
      neverUsed: ['docx', 'xlsx'],
      searchedNeverLoaded: [],
    });
    const { stdout } = await skillplane(['usage', '--since', '30m'], { home });
    expect(stdout).toMatch(
      /^No skill has been used since \d{4}-\d\d-\d\d \d\d:\d\d UTC\.\n\nNot used since then \(3\)\n/,
    );
  });

  test.each(['soon', '7', '0d', '2025-02-31', '2999-01-01'])('refuses --since %s as wrong usage', async (since) => {
    const home = await makeHome();
    const { code, stdout, stderr } = await skillplane(['usage', '--since', since], { home });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      `skillplane: --since takes 30m, 12h, 7d, 4w, or a past date such as 2026-01-31 or 2026-01-31T10:00Z, not "${since}"\n`,
    );
    const json = await skillplane(['usage', '--since', since, '--json'], { home });
    expect(json.code).toBe(2);
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, code: 'USAGE' });
  });

  test('--skill shows one skill, even a removed one, and lists the known ones for an unknown name', async () => {
    const home = await makeHome(...EVENTS);
    const one = JSON.parse((await skillplane(['usage', '--json', '--skill', 'pdf'], { home })).stdout) as object;
    expect(one).toMatchObject({ skills: [{ name: 'pdf' }], neverUsed: [], searchedNeverLoaded: [] });
    const gone = JSON.parse((await skillplane(['usage', '--json', '--skill', 'gone'], { home })).stdout) as object;
    expect(gone).toMatchObject({ ok: true, skills: [{ name: 'gone', exists: false }] });
    expect(await skillplane(['usage', '--skill', 'pfd'], { home })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'skillplane: no skill called "pfd"; available: docx, pdf, xlsx\n',
    });
    const none = await skillplane(['usage', '--skill', 'pfd', '--json'], { home });
    expect(JSON.parse(none.stdout)).toMatchObject({ ok: false, code: 'SKILL_NOT_FOUND' });
  });

  test('says so if the configuration keeps no history', async () => {
    const home = await makeHome(...EVENTS);
    writeTree(home, { '.agent/config.yaml': 'skills:\n  usage: false\n' });
    const note = 'Usage history is off, or config.yaml cannot be read.\n';
    expect(await skillplane(['usage'], { home })).toEqual({ code: 0, stdout: '', stderr: note });
    const { stdout, stderr } = await skillplane(['usage', '--json'], { home });
    expect(stderr).toBe(note);
    expect(JSON.parse(stdout)).toEqual({ ok: true });
  });

  test('moves a broken database aside with a warning, and reports no use', async () => {
    const home = await makeHome();
    writeTree(home, { '.agent/skillplane.db': 'no database' });
    const { code, stdout, stderr } = await skillplane(['usage'], { home });
    expect(code).toBe(0);
    expect(stdout).toContain('No skill has been used yet.');
    expect(stderr).toMatch(/^warning USAGE_SET_ASIDE .*skillplane\.db: it was damaged.*skillplane\.db\.broken-1, and/);
    expect((await skillplane(['usage'], { home })).stderr).toBe('');
    expect(readdirSync(join(home, '.agent'))).toContain('skillplane.db.broken-1');
  });

  test('fails with one sentence for a database of a newer version', async () => {
    const home = await makeHome(...EVENTS);
    const database = new DatabaseSync(databaseOf(home));
    database.exec('PRAGMA user_version = 99');
    database.close();
    expect(await skillplane(['usage'], { home })).toEqual({
      code: 1,
      stdout: '',
      stderr: `skillplane: ${databaseOf(home)} cannot be read: it was created by a newer version of Skillplane; this version does not change it\n`,
    });
  });

  test('fits a narrow terminal, however many skills there are', async () => {
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
    expect(lines.join('\n')).toContain('and more; see all with --all');
  });
});

describe('doctor', () => {
  const usageRow = async (home: string): Promise<string> =>
    /^.* usage .*(?:\n {10}.*)?/m.exec((await skillplane(['doctor'], { home })).stdout)?.[0] ?? '';

  test('says where the usage history is and how large, or why there is none', async () => {
    const home = await makeHome(...EVENTS);
    expect(await usageRow(home)).toMatch(/^✓ usage {4}.*\.agent\/skillplane\.db \(\d+ KiB\)$/);
    expect(await usageRow(await makeHome())).toMatch(/^✓ usage {4}.*\.agent\/skillplane\.db \(nothing recorded yet\)$/);
    writeTree(home, { '.agent/config.yaml': 'skills:\n  usage: false\n' });
    expect(await usageRow(home)).toBe('· usage    no usage history: `usage` is false');
  });

  test('says that the usage history is broken, and leaves it unchanged', async () => {
    const home = await makeHome();
    writeTree(home, { '.agent/skillplane.db': 'no database' });
    expect(await usageRow(home)).toBe(
      `! usage    ${databaseOf(home)}: it is damaged, or not a database of Skillplane\n           → Nothing to do: the next use sets it aside and starts a new one.`,
    );
    expect(readdirSync(join(home, '.agent')).filter((name) => name.includes('broken'))).toEqual([]);
  });
});

describe('the transcripts of other agents', () => {
  const week = (number: number): string => new Date(Date.UTC(2020, 0, 6 + 7 * number, 10)).toISOString();
  let count = 0;
  const line = (given: object): object => ({
    uuid: `00000000-0000-4000-8000-${String((count += 1)).padStart(12, '0')}`,
    sessionId: 'session-1',
    cwd: '/projects/app',
    ...given,
  });
  const slash = (skill: string, timestamp: string): object => {
    const content = `<command-message>${skill}</command-message>\n<command-name>/${skill}</command-name>`;
    return line({ type: 'user', message: { role: 'user', content }, timestamp });
  };
  const listing = (timestamp: string): object => {
    const attachment = { type: 'skill_listing', content: '- pdf: Fills.\n- docx', names: ['pdf', 'docx', 'theirs'] };
    return line({ type: 'attachment', attachment, timestamp });
  };

  /** A home in which pdf was used by name and docx was only shown, over twelve weeks. */
  async function makeUsedHome(): Promise<string> {
    const home = await makeHome();
    const claude = Array.from({ length: 12 }, (_, at) => [
      slash('pdf', week(at)),
      listing(week(at)),
      listing(week(at)),
    ]);
    const invoked = {
      type: 'skill.invoked',
      data: { name: 'theirs', trigger: 'agent-invoked' },
      id: 'event-0000001',
      timestamp: week(3),
    };
    writeTree(home, {
      '.claude/projects/-work-app/session-1.jsonl': jsonLines(...claude.flat()),
      '.copilot/session-state/one/events.jsonl': jsonLines(invoked),
    });
    return home;
  }

  test('are read by usage, which fits one screen of 80 columns', async () => {
    const home = await makeUsedHome();
    const { code, stdout, stderr } = await skillplane(['usage'], { home });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.replaceAll(/[▁-█]+/g, '~').replaceAll(/\d+ y ago/g, 'N y ago')).toBe(
      [
        'Skills used (charts start 2020-01-06 10:00 UTC)',
        '  pdf               ~  12  N y ago  ↓',
        '  theirs (copilot)  ~   1  N y ago  ↓',
        '',
        'Agents  Claude Code 12, Copilot 1',
        'Chosen  1 by a model, 12 by name',
        'Cut     1 listed without description (skill list full): docx',
        '',
        'Listed but never used (1)',
        '  docx',
        '',
        'Never listed and never used (1)',
        '  xlsx',
        '',
      ].join('\n'),
    );
    expect(JSON.parse((await skillplane(['usage', '--json'], { home })).stdout)).toMatchObject({
      skills: [{ name: 'pdf', uses: 12, invoked: 12, shown: 24, agents: { 'claude-code': 12 } }, {}, {}],
      shownNeverUsed: ['docx'],
      cut: ['docx'],
    });
  });

  test('are read by usage --import, which finds nothing new the second time', async () => {
    const home = await makeUsedHome();
    const first = await skillplane(['usage', '--import', 'claude-code'], { home });
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/^Claude Code {2}1 file, 1 read \(0\.0 MB\)\n108 new events\.\n$/);
    const second = JSON.parse((await skillplane(['usage', '--import', '--json'], { home })).stdout) as object;
    expect(second).toMatchObject({
      ok: true,
      added: 1,
      hosts: [{ host: 'claude-code', read: 0 }, {}, {}, { read: 1 }, {}, {}],
    });
    expect((await skillplane(['usage', '--import'], { home })).stdout).toContain('Nothing new.');
    expect(await skillplane(['usage', '--import', 'emacs'], { home })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('unknown agent "emacs"'),
    });
    expect(await skillplane(['usage', 'codex'], { home })).toMatchObject({ code: 2 });
  });

  test('can be grouped with usage --by', async () => {
    const home = await makeUsedHome();
    const by = async (group: string): Promise<string> =>
      (await skillplane(['usage', '--by', group], { home })).stdout.replaceAll(/[▁-█]+/g, '~');
    expect(await by('host')).toBe('Claude Code  ~  12  pdf 12\nCopilot      ~   1  theirs 1\n');
    expect(await by('project')).toContain('/projects/app');
    expect((await by('week')).split('\n').slice(0, 2)).toEqual(['2020-03-23  1  pdf 1', '2020-03-16  1  pdf 1']);
    expect((await skillplane(['usage', '--by', 'moon'], { home })).code).toBe(2);
  });

  test('are the basis of usage --advise, which says what to change, why and how', async () => {
    const home = await makeUsedHome();
    for (const name of ['pdf', 'docx', 'xlsx']) utimesSync(join(home, `.agent/skills/${name}/SKILL.md`), 0, 0);
    const { code, stdout } = await skillplane(['usage', '--advise'], { home });
    expect(code).toBe(0);
    expect(stdout.replaceAll(/\d{3,} days/g, 'N days')).toBe(
      [
        'Improve the description: models never choose these (1)',
        '  pdf: you called it 12 times; models were told of it 24 times and never chose it',
        `    Edit the description in ${home}/.agent/skills/pdf/SKILL.md`,
        '',
        'Disable: not used for a long time (2)',
        '  docx: not used in N days, but shown 24 times',
        '    `skillplane disable docx`',
        '  xlsx: not used in N days',
        '    `skillplane disable xlsx`',
        '',
      ].join('\n'),
    );
    const json = JSON.parse((await skillplane(['usage', '--advise', '--json'], { home })).stdout) as object;
    expect(json).toMatchObject({ ok: true, advice: [{ kind: 'rewrite', skill: 'pdf' }, { kind: 'disable' }, {}] });
  });

  test('stay unread if the configuration says so', async () => {
    const home = await makeUsedHome();
    writeTree(home, { '.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n  usage: { hosts: false }\n' });
    expect((await skillplane(['usage'], { home })).stdout).toContain('No skill has been used yet.');
    expect(existsSync(databaseOf(home))).toBe(false);
    const refused = await skillplane(['usage', '--import'], { home });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('your settings do not allow reading the transcripts of other agents');
    expect((await skillplane(['config', 'set', 'usage', '{ hosts: true }'], { home })).code).toBe(0);
    expect((await skillplane(['usage'], { home })).stdout).toContain('Claude Code 12');
  });

  test('count for info and for the ranking', async () => {
    const home = await makeUsedHome();
    expect((await skillplane(['info', 'pdf'], { home })).stdout).toMatch(/^Usage .* 12 /m);
    const ranked = await makeUsedHome();
    // A ranking reads for a moment only: a slow machine needs several.
    const first = async (): Promise<string> => (await skillplane(['prompt', '--top', '1'], { home: ranked })).stdout;
    await expect.poll(first, { timeout: 50_000, interval: 10 }).toContain('**pdf**');
  });

  test('have the same agents in --import and its completion', () => {
    expect(checkCommands.find(({ name }) => name === 'usage')?.choices?.['[agent...]']).toEqual(HOST_IDS);
  });
});
