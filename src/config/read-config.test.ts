import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { sourceUrl } from '../../test/support/child.ts';
import { makeFifo } from '../../test/support/fifo.ts';
import { link, makeTree } from '../../test/support/tree.ts';
import { makeWorld } from '../../test/support/world.ts';
import { readEnvironment } from '../platform/environment.ts';
import { editConfig } from './edit-config.ts';
import { readConfig } from './read-config.ts';

test('the user’s config.yaml may be larger than a project’s', async () => {
  const plugins = Array.from(
    { length: 2_000 },
    (_, at) => `    - https://example.org/o/plugin-${at}-${'x'.repeat(20)}\n`,
  );
  const text = `skills:\n  plugins:\n${plugins.join('')}`;
  const large = makeWorld({
    'home/.agent/config.yaml': text,
    'project/.agent/config.yaml': `# ${'x'.repeat(64 * 1024)}\nskills:\n  disabled: [a]\n`,
  });
  const { config, diagnostics } = readConfig(large.environment);
  expect(config.plugins).toHaveLength(2_000);
  expect(config.disabled).toEqual([]);
  expect(diagnostics).toMatchObject([{ code: 'CONFIG_INVALID', path: join(large.project, '.agent/config.yaml') }]);
  const file = join(large.home, '.agent/config.yaml');
  expect(await editConfig({ file, isUsers: true }, (editor) => editor.add('disabled', 'b'))).toMatchObject({
    ok: true,
  });
  expect(readConfig(large.environment).config).toMatchObject({ disabled: ['b'], plugins: config.plugins });
});

describe('reading the configuration', () => {
  test('without any file returns the defaults and no diagnostics', async () => {
    const { environment, home } = makeWorld();
    const { config, files, diagnostics } = readConfig(environment);
    expect(files).toMatchObject({ user: join(home, '.agent/config.yaml'), project: undefined });
    expect(config).toMatchObject({ enabled: true, disabled: [], userDir: join(home, '.agent/skills') });
    expect(diagnostics).toEqual([]);
  });

  test('merges the project’s file into the user’s', async () => {
    const { environment, home, project } = makeWorld({
      'home/.agent/config.yaml': 'skills:\n  disabled: [a]\n  scriptTimeout: 1\n',
      'project/.agent/config.yaml': 'skills:\n  disabled: [b]\n  usage: false\n',
    });
    const { config, files } = readConfig(environment);
    expect(files).toMatchObject({
      user: join(home, '.agent/config.yaml'),
      project: join(project, '.agent/config.yaml'),
    });
    expect(config).toMatchObject({ disabled: ['a', 'b'], scriptTimeout: 1, usage: false });
  });

  test('finds the user’s file and folders in AGENT_HOME', async () => {
    const { environment, home } = makeWorld(
      {
        'home/.agent/config.yaml': 'skills:\n  disabled: [wrong]\n',
        'home/elsewhere/config.yaml': 'skills:\n  disabled: [right]\n',
      },
      { AGENT_HOME: '~/elsewhere' },
    );
    const { config } = readConfig(environment);
    expect(config).toMatchObject({
      disabled: ['right'],
      userDir: join(home, 'elsewhere/skills'),
      pluginsDir: join(home, 'elsewhere/plugins'),
    });
  });

  test('uses the project file closest to the working directory, up to the repository root', async () => {
    const { project, home, env } = makeWorld({
      '.agent/config.yaml': 'skills:\n  disabled: [above]\n',
      'project/.agent/config.yaml': 'skills:\n  disabled: [root]\n',
      'project/a/.agent/config.yaml': 'skills:\n  disabled: [middle]\n',
      'project/a/b/': '',
    });
    const from = async (cwd: string): Promise<readonly string[]> =>
      readConfig(readEnvironment({ cwd: join(project, cwd), home, env })).config.disabled;
    expect(await from('a/b')).toEqual(['middle']);
    expect(await from('.')).toEqual(['root']);
  });

  test('in the home folder does not read the user’s file as the project’s', async () => {
    const { home, env } = makeWorld({
      'home/.git/': '',
      'home/.agent/config.yaml': 'skills:\n  userDir: ~/mine\n',
    });
    const { config, files, diagnostics } = readConfig(readEnvironment({ cwd: home, home, env }));
    expect(files.project).toBeUndefined();
    expect(config.userDir).toBe(join(home, 'mine'));
    expect(diagnostics).toEqual([]);
  });

  test('in a linked home folder does not read the user’s file as the project’s', async () => {
    const { root, env } = makeWorld({
      'disk/.agent/config.yaml': 'skills:\n  userDir: ~/mine\n',
      linked: link('disk'),
    });
    const home = join(root, 'linked');
    const { config, diagnostics } = readConfig(readEnvironment({ cwd: join(root, 'disk'), home, env }));
    expect(config.userDir).toBe(join(home, 'mine'));
    expect(diagnostics).toEqual([]);
  });
});

describe('paths in config.yaml', () => {
  test('expand ~ and variables, and relative ones start at the file’s folder', async () => {
    const { environment, home, project } = makeWorld(
      {
        'home/.agent/config.yaml':
          'skills:\n  userDir: $DATA/skills\n  pluginsDir: "${DATA}/plugins"\n  customDirectories: [~/more, beside, $DATA]\n',
        'project/.agent/config.yaml': 'skills:\n  customDirectories: [tools/skills, .agent/more]\n',
      },
      { DATA: '/data' },
    );
    const { config } = readConfig(environment);
    expect(config.userDir).toBe('/data/skills');
    expect(config.pluginsDir).toBe('/data/plugins');
    expect(config.customDirectories).toEqual([
      { path: join(home, 'more'), level: 'user' },
      { path: join(home, '.agent/beside'), level: 'user' },
      { path: '/data', level: 'user' },
      { path: join(project, 'tools/skills'), level: 'project' },
      { path: join(project, '.agent/more'), level: 'project' },
    ]);
  });

  test('of a project must stay inside it and expand neither ~ nor variables', async () => {
    const outside = ['../more', '~/more', '/elsewhere', '$SECRET', 'skills/${SECRET}', '~ann/skills'];
    const { environment, project } = makeWorld(
      { 'project/.agent/config.yaml': `skills: ${JSON.stringify({ customDirectories: [...outside, 'inside'] })}\n` },
      { SECRET: 'hunter2' },
    );
    const { config, diagnostics } = readConfig(environment);
    expect(config.customDirectories).toEqual([{ path: join(project, 'inside'), level: 'project' }]);
    expect(diagnostics.map(({ message }) => message)).toEqual(
      outside.map((path) => `skills.customDirectories: ${path} is ignored: it is outside the project`),
    );
    expect(JSON.stringify(diagnostics)).not.toContain('hunter2');
  });

  test('with an unset variable are ignored with a warning', async () => {
    const { environment, home } = makeWorld({
      'home/.agent/config.yaml': 'skills:\n  userDir: $NOPE/skills\n  customDirectories: [$NOPE/more, /kept]\n',
    });
    const { config, diagnostics } = readConfig(environment);
    expect(config.userDir).toBe(join(home, '.agent/skills'));
    expect(config.customDirectories).toEqual([{ path: '/kept', level: 'user' }]);
    expect(diagnostics).toEqual(
      ['$NOPE/more', '$NOPE/skills'].map((path) => ({
        code: 'CONFIG_IGNORED',
        severity: 'warning',
        path: join(home, '.agent/config.yaml'),
        message: `${path}: the variable NOPE is not set`,
      })),
    );
  });
});

describe('a config.yaml with errors', () => {
  test('keeps its restrictions despite a wrong value', async () => {
    const text = 'skills:\n  scriptTimeout: 60 seconds\n  disabled: [x]\n  sandbox: require\n  usage: false\n';
    const { environment, home } = makeWorld({ 'home/.agent/config.yaml': text });
    const file = join(home, '.agent/config.yaml');
    const { config, diagnostics } = readConfig(environment);
    expect(config).toMatchObject({ disabled: ['x'], sandbox: 'require', usage: false, scriptTimeout: 60_000 });
    expect(diagnostics).toEqual([
      {
        code: 'CONFIG_INVALID',
        severity: 'error',
        path: file,
        line: 2,
        field: 'scriptTimeout',
        message: expect.stringMatching(/^skills\.scriptTimeout: .*; this value is ignored$/),
      },
    ]);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('of a project keeps or tightens the user’s value', async () => {
    const { environment } = makeWorld({
      'home/.agent/config.yaml': 'skills:\n  scriptTimeout: 5\n  sandbox: off\n',
      'project/.agent/config.yaml': 'skills:\n  scriptTimeout: soon\n  sandbox: 5\n  disabled: a\n',
    });
    const { config, diagnostics } = readConfig(environment);
    expect(config).toMatchObject({ scriptTimeout: 5, sandbox: 'require', disabled: ['a'] });
    expect(diagnostics.map(({ line }) => line)).toEqual([2, 3, 4]);
  });

  test.each([
    ['broken YAML', 'a: 1\nskills: {disabled: [x}\n', 2],
    ['a section that is not a mapping', 'a: 1\nskills: 5\n', 2],
  ])('is reported with its line and left unchanged, and the defaults apply: %s', async (_what, text, line) => {
    const { environment, home } = makeWorld({ 'home/.agent/config.yaml': text });
    const file = join(home, '.agent/config.yaml');
    const { config, diagnostics } = readConfig(environment);
    expect(config).toMatchObject({ disabled: [], enabled: true });
    expect(diagnostics).toEqual([
      {
        code: 'CONFIG_INVALID',
        severity: 'error',
        path: file,
        line,
        message: expect.stringMatching(/defaults are used$/),
      },
    ]);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test.each([
    ['invalid YAML in one value', '  userDir: @home\n'],
    ['a second colon', '  userDir: a: b\n'],
    ['a bracket that is not closed', '  includeSkills: [a\n'],
    ['a setting that is given twice', '  disabled: [b]\n'],
  ])('loses only the wrong setting: %s', async (_what, line) => {
    const text = `skills:\r\n  disabled: [a]\r\n  sandbox: require\n${line}  usage: false\n`;
    const { environment, home } = makeWorld({ 'home/.agent/config.yaml': text });
    const { config, diagnostics } = readConfig(environment);
    expect(config).toMatchObject({ sandbox: 'require', usage: false });
    expect(config.disabled).toContain('a');
    expect(config.disabled.includes('b')).toBe(line.includes('disabled'));
    expect(diagnostics[0]).toMatchObject({
      code: 'CONFIG_INVALID',
      path: join(home, '.agent/config.yaml'),
      message: expect.stringMatching(/; the file was not changed; its other settings still apply$/),
    });
    expect(readFileSync(join(home, '.agent/config.yaml'), 'utf8')).toBe(text);
  });

  test('that sets a switch twice uses the stricter value', async () => {
    const { environment } = makeWorld({ 'home/.agent/config.yaml': 'skills:\n  usage: false\n  usage: true\n' });
    const { config, diagnostics } = readConfig(environment);
    expect(config.usage).toBe(false);
    expect(diagnostics.map(({ line, field }) => [line, field])).toEqual([
      [3, undefined],
      [2, 'usage'],
    ]);
  });

  test('of a project leaves the user’s settings intact', async () => {
    const { environment, project } = makeWorld({
      'home/.agent/config.yaml': 'skills:\n  disabled: [a]\n',
      'project/.agent/config.yaml': 'skills: [\n',
    });
    const { config, diagnostics } = readConfig(environment);
    expect(config.disabled).toEqual(['a']);
    expect(diagnostics).toMatchObject([{ code: 'CONFIG_INVALID', path: join(project, '.agent/config.yaml') }]);
  });

  test('that cannot be read is reported as CONFIG_INVALID', async () => {
    const { environment, home } = makeWorld({ 'home/.agent/config.yaml/': '' });
    const { config, diagnostics } = readConfig(environment);
    expect(config.enabled).toBe(true);
    expect(diagnostics).toEqual([
      {
        code: 'CONFIG_INVALID',
        severity: 'error',
        path: join(home, '.agent/config.yaml'),
        message: expect.stringContaining('is a directory'),
      },
    ]);
  });

  test.each(['skills: *nope\n', 'a: &a [1]\nskills: {disabled: *b}\n'])(
    'with an unknown alias is reported without a crash: %j',
    async (text) => {
      const { environment } = makeWorld({ 'project/.agent/config.yaml': text });
      expect(readConfig(environment).diagnostics).toMatchObject([{ code: 'CONFIG_INVALID' }]);
    },
  );

  test.each(['config.yaml', 'elsewhere'])('that is a FIFO or a link to one is refused without waiting: %s', (name) => {
    const { project, home } = makeWorld({
      'project/.agent/': '',
      ...(name === 'config.yaml' ? {} : { 'project/.agent/config.yaml': link(name) }),
    });
    makeFifo(join(project, '.agent', name));
    const code = `
      import { readEnvironment } from ${JSON.stringify(sourceUrl('platform/environment.ts'))};
      import { readConfig } from ${JSON.stringify(sourceUrl('config/read-config.ts'))};
      const [cwd, home] = process.argv.slice(1);
      const { diagnostics } = readConfig(readEnvironment({ cwd, home, env: {} }));
      console.log(diagnostics.map(({ code }) => code).join());`;
    // In a process of its own, which can be stopped should it wait for ever.
    const args = ['--input-type=module', '--eval', code, '--', project, home];
    expect(execFileSync(process.execPath, args, { encoding: 'utf8', timeout: 50_000 }).trim()).toBe('CONFIG_INVALID');
  });

  test('with an unknown setting gets a warning, and the others apply', async () => {
    const { environment, home } = makeWorld({
      'home/.agent/config.yaml': 'skills:\n  disabld: [a]\n  disabled: [b]\n',
    });
    const { config, diagnostics } = readConfig(environment);
    expect(config.disabled).toEqual(['b']);
    expect(diagnostics).toEqual([
      {
        code: 'CONFIG_IGNORED',
        severity: 'warning',
        path: join(home, '.agent/config.yaml'),
        line: 2,
        field: 'disabld',
        message: 'unknown setting skills.disabld; did you mean disabled?',
      },
    ]);
  });

  test('with a setting of an earlier version gets a note, and nothing else happens', async () => {
    const { environment } = makeWorld({ 'home/.agent/config.yaml': 'skills:\n  autoSync: true\n' });
    expect(readConfig(environment).diagnostics).toMatchObject([
      {
        code: 'CONFIG_IGNORED',
        severity: 'warning',
        line: 2,
        field: 'autoSync',
        message: expect.stringContaining('no longer exists'),
      },
    ]);
  });
});

describe('the sandbox setting of a program', () => {
  const read = (yaml: string | undefined): readonly unknown[] => {
    const root = makeTree(yaml === undefined ? {} : { 'home/.agent/config.yaml': yaml });
    const reading = readConfig(
      readEnvironment({ cwd: root, home: join(root, 'home'), env: {}, config: { sandbox: 'off' } }),
    );
    return [reading.config.sandbox, reading.diagnostics.filter(({ path }) => path === 'openSkills')];
  };

  test('counts where no file has it', () => {
    expect(read(undefined)).toEqual(['off', []]);
    expect(read('skills:\n  learn: true\n')).toEqual(['off', []]);
  });

  test.each([
    ['require', 'skills:\n  sandbox: require\n'],
    ['auto', 'skills:\n  sandbox: auto\n'],
    // It might say `require`.
    ['auto', 'skills: [\n'],
  ])('stays at the %s of a file, and a diagnostic says so', (sandbox, yaml) => {
    const message = 'config.sandbox of a program can only be stricter than that of your configuration; it is ignored';
    expect(read(yaml)).toEqual([
      sandbox,
      [{ code: 'CONFIG_IGNORED', severity: 'warning', path: 'openSkills', field: 'sandbox', message }],
    ]);
  });
});
