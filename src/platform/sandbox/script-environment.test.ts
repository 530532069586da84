import { beforeEach, describe, expect, test } from 'vitest';

import { buildScriptEnvironment } from './script-environment.ts';

const PLACES = { skillDir: '/skills/demo', workDir: '/run/work', home: '/run/home', commandDirs: ['/opt/node/bin'] };

describe('the environment of a script', () => {
  beforeEach(({ skip }) => skip(process.platform === 'win32', 'this needs a POSIX system'));
  test('has a few fixed variables, whatever our own environment is', () => {
    expect(buildScriptEnvironment(PLACES)).toEqual({
      ok: true,
      variables: {
        LANG: 'C.UTF-8',
        PYTHONDONTWRITEBYTECODE: '1',
        PATH: '/opt/node/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
        HOME: '/run/home',
        TMPDIR: '/run/home',
        SKILL_DIR: '/skills/demo',
        SKILL_OUTPUT_DIR: '/run/work',
      },
    });
  });

  test('includes what the caller passes', () => {
    const built = buildScriptEnvironment(PLACES, { API_KEY: 'x=y\n', _x1: '', LANG: 'de_DE.UTF-8' });
    expect(built).toMatchObject({ ok: true, variables: { API_KEY: 'x=y\n', _x1: '', LANG: 'de_DE.UTF-8' } });
  });

  test.each(['', '1A', 'A-B', 'A B', 'A=B', 'A\n', 'é', 'BASH_FUNC_x%%'])('refuses the variable name %j', (name) => {
    const built = buildScriptEnvironment(PLACES, { [name]: 'x' });
    expect(built).toMatchObject({ ok: false, code: 'SCRIPT_FAILED', message: expect.stringContaining('valid name') });
  });

  test.each(['PATH', 'HOME', 'TMPDIR', 'SKILL_DIR', 'SKILL_OUTPUT_DIR'])('does not let the caller set %s', (name) => {
    const built = buildScriptEnvironment(PLACES, { [name]: 'x' });
    expect(built).toMatchObject({
      ok: false,
      message: `the variable "${name}" is set by Skillplane and cannot be passed`,
    });
  });

  test.each([
    'LD_PRELOAD',
    'LD_LIBRARY_PATH',
    'DYLD_INSERT_LIBRARIES',
    'NODE_OPTIONS',
    'NODE_PATH',
    'BASH_ENV',
    'ENV',
    'PS4',
    'PYTHONSTARTUP',
    'PYTHONPATH',
    'PERL5OPT',
    'RUBYOPT',
    'GIT_SSH_COMMAND',
    'GIT_EXTERNAL_DIFF',
    'JAVA_TOOL_OPTIONS',
  ])('refuses %s, which would run other code', (name) => {
    const built = buildScriptEnvironment(PLACES, { [name]: 'x' });
    expect(built).toMatchObject({ ok: false, message: expect.stringContaining('can make programs run other code') });
  });

  test.each([
    'LDAP_URL',
    'PYTHONUNBUFFERED',
    'NODE_ENV',
    'GITHUB_TOKEN',
    'GIT_AUTHOR_NAME',
    'ENVIRONMENT',
    'TZ',
    'env',
  ])('accepts %s, which would not run other code', (name) => {
    expect(buildScriptEnvironment(PLACES, { [name]: 'x' })).toMatchObject({ ok: true, variables: { [name]: 'x' } });
  });

  test('refuses a value with a NUL', () => {
    expect(buildScriptEnvironment(PLACES, { A: 'a\0b' })).toMatchObject({ ok: false });
  });
});
