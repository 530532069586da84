import { truncateSync } from 'node:fs';
import { join, relative } from 'node:path';

import { describe, expect, test, vi } from 'vitest';

import { makeFifo } from '../../test/support/fifo.ts';
import { link, makeTree, skillText } from '../../test/support/tree.ts';
import { fromFile } from './from-file.ts';

describe('reading one SKILL.md from disk', () => {
  test('gives the skill with its path and its body', () => {
    const root = makeTree({ 'pdf/SKILL.md': skillText({ name: 'pdf', description: 'Fills forms.' }, '# PDF\n') });
    expect(fromFile(join(root, 'pdf/SKILL.md'))).toMatchObject({
      ok: true,
      body: '# PDF',
      skill: { id: 'pdf', name: 'pdf', title: 'PDF', dir: join(root, 'pdf'), file: join(root, 'pdf/SKILL.md') },
    });
  });

  test('accepts a relative path', () => {
    const root = makeTree({ 'pdf/SKILL.md': skillText({ name: 'pdf' }) });
    const read = fromFile(relative(process.cwd(), join(root, 'pdf/SKILL.md')));
    expect(read).toMatchObject({ ok: true, skill: { id: 'pdf', dir: join(root, 'pdf') } });
  });

  test('accepts a path with ~', () => {
    const home = makeTree({ 'pdf/SKILL.md': skillText({ name: 'pdf' }) });
    vi.stubEnv('HOME', home);
    expect(fromFile('~/pdf/SKILL.md')).toMatchObject({ ok: true, skill: { id: 'pdf', dir: join(home, 'pdf') } });
    vi.unstubAllEnvs();
  });

  test('through a linked directory uses the name of the link', () => {
    const root = makeTree({ 'real/SKILL.md': skillText({}), linked: link('real') });
    expect(fromFile(join(root, 'linked/SKILL.md'))).toMatchObject({ ok: true, skill: { id: 'linked' } });
  });

  test('that is missing fails with SKILL_NOT_FOUND', () => {
    const file = join(makeTree(), 'SKILL.md');
    expect(fromFile(file)).toEqual({
      ok: false,
      code: 'SKILL_NOT_FOUND',
      message: `${file}: File not found`,
      diagnostics: [{ code: 'FILE_UNREADABLE', severity: 'error', path: file, message: 'File not found' }],
    });
  });

  test('that is a FIFO, a directory, a link outside or too large is a failure', () => {
    const root = makeTree({
      'secret.md': skillText({ name: 'secret' }),
      'pipe/': '',
      'folder/SKILL.md/': '',
      'outside/SKILL.md': link('../secret.md'),
      'large/SKILL.md': '',
    });
    makeFifo(join(root, 'pipe/SKILL.md'));
    truncateSync(join(root, 'large/SKILL.md'), 1024 * 1024 + 1);
    for (const id of ['pipe', 'folder', 'outside', 'large']) {
      const file = join(root, id, 'SKILL.md');
      expect(fromFile(file)).toMatchObject({ ok: false, code: 'STORE_FAILED', diagnostics: [{ path: file }] });
    }
  });

  test('that cannot be parsed fails with PARSE_FAILED and its diagnostics', () => {
    const file = join(makeTree({ 'a/SKILL.md': '' }), 'a/SKILL.md');
    expect(fromFile(file)).toMatchObject({
      ok: false,
      code: 'PARSE_FAILED',
      diagnostics: [{ code: 'PARSE_FAILED', path: file }],
    });
  });
});
