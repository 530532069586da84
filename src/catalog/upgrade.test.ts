import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { link, makeTree, skillText, type Tree } from '../../test/support/tree.ts';
import type { Outcome } from '../model/outcome.ts';
import { VERSION } from '../model/version.ts';
import { fromFile } from '../sources/from-file.ts';
import { upgradeBundledSkill, type UpgradeAction } from './upgrade.ts';

const BUNDLED = skillText({ name: 'pdf', description: 'Bundled.' }, '# New\n\nNew text.\n');

interface Upgrade {
  readonly outcome: Outcome<{ readonly action: UpgradeAction }>;
  readonly root: string;
  readonly copy: () => string;
}

/** Upgrades `user/pdf` from `bundled/pdf`, of which the tree may hold more. */
function upgrade(tree: Tree, version = '2.0.0'): Upgrade {
  const root = makeTree({ 'bundled/pdf/SKILL.md': BUNDLED, ...tree });
  const outcome = upgradeBundledSkill({ from: join(root, 'bundled/pdf'), to: join(root, 'user/pdf'), version });
  return { outcome, root, copy: () => readFileSync(join(root, 'user/pdf/SKILL.md'), 'utf8') };
}

describe('a bundled skill in the user’s folder', () => {
  test('is created if missing, with its files and the version that wrote it', () => {
    const { outcome, root, copy } = upgrade({ 'bundled/pdf/references/forms.md': 'forms' });
    expect(outcome).toEqual({ ok: true, action: 'created' });
    expect(readFileSync(join(root, 'user/pdf/references/forms.md'), 'utf8')).toBe('forms');
    expect(copy()).toBe(BUNDLED.replace('\n---\n\n#', '\nproducer_version: "2.0.0"\n---\n\n#'));
    expect(fromFile(join(root, 'user/pdf/SKILL.md'))).toMatchObject({ skill: { producerVersion: '2.0.0' } });
  });

  test('of the same version is left unchanged', () => {
    const text = skillText({ name: 'pdf', producer_version: '2.0.0' }, 'My own text.\n');
    const { outcome, copy } = upgrade({ 'user/pdf/SKILL.md': text });
    expect(outcome).toEqual({ ok: true, action: 'unchanged' });
    expect(copy()).toBe(text);
  });

  test('of an older version gets new instructions and files and keeps the user’s fields', () => {
    const { outcome, root, copy } = upgrade({
      'user/pdf/SKILL.md':
        '---\nname: pdf\n# my note\ndescription: Mine, reworded.\nalways_present: true\nproducer_version: 1.9.0\nmine: [1, 2]\n---\n\n# Old\n',
      'user/pdf/mine.md': 'mine',
      'user/pdf/references/forms.md': 'old forms',
      'bundled/pdf/references/forms.md': 'new forms',
    });
    const kept = join(root, 'user/pdf/SKILL.1.9.0.md');
    expect(outcome).toEqual({ ok: true, action: 'upgraded', keptAs: kept });
    expect(readFileSync(kept, 'utf8')).toContain('\n# Old\n');
    expect(copy()).toBe(
      '---\nname: pdf\n# my note\ndescription: Mine, reworded.\nalways_present: true\nproducer_version: "2.0.0"\nmine: [1, 2]\n---\n\n# New\n\nNew text.\n',
    );
    expect(readFileSync(join(root, 'user/pdf/references/forms.md'), 'utf8')).toBe('new forms');
    expect(readFileSync(join(root, 'user/pdf/mine.md'), 'utf8')).toBe('mine');
  });

  test('without a version is the user’s own and is kept', () => {
    const text = skillText({ name: 'pdf' }, 'All mine.\n');
    const { outcome, root, copy } = upgrade({ 'user/pdf/SKILL.md': text, 'bundled/pdf/new.md': 'new' });
    expect(outcome).toEqual({ ok: true, action: 'kept' });
    expect(copy()).toBe(text);
    expect(readdirSync(join(root, 'user/pdf'))).toEqual(['SKILL.md']);
  });

  test('of a newer version is kept', () => {
    const text = skillText({ name: 'pdf', producer_version: '2.0.1' }, 'Newer.\n');
    const { outcome, copy } = upgrade({ 'user/pdf/SKILL.md': text });
    expect(outcome).toEqual({ ok: true, action: 'kept' });
    expect(copy()).toBe(text);
  });

  test.each([
    ['1.9.9', '2.0.0', 'upgraded'],
    ['1.10.0', '1.9.0', 'kept'],
    ['1.9', '1.10', 'upgraded'],
    ['0.9', '1', 'upgraded'],
    ['1', '1.0.1', 'upgraded'],
    ['2.0.0', '2.0.0', 'unchanged'],
  ])('of version %s compared with the bundled version %s is %s', (from, by, action) => {
    const text = skillText({ name: 'pdf', producer_version: from });
    expect(upgrade({ 'user/pdf/SKILL.md': text }, by).outcome).toMatchObject({ ok: true, action });
  });

  test('of an older version with the same instructions gets no backup file', () => {
    const text = skillText({ name: 'pdf', producer_version: '1.0.0' }, '# New\n\nNew text.\n');
    const { outcome, root } = upgrade({ 'user/pdf/SKILL.md': text });
    expect(outcome).toEqual({ ok: true, action: 'upgraded' });
    expect(readdirSync(join(root, 'user/pdf'))).toEqual(['SKILL.md']);
  });

  test('never overwrites an earlier backup', () => {
    const text = skillText({ name: 'pdf', producer_version: '1.0.0' }, 'Mine.\n');
    const { outcome, root } = upgrade({ 'user/pdf/SKILL.md': text, 'user/pdf/SKILL.1.0.0.md': 'earlier' });
    expect(outcome).toMatchObject({ keptAs: join(root, 'user/pdf/SKILL.1.0.0-2.md') });
    expect(readFileSync(join(root, 'user/pdf/SKILL.1.0.0.md'), 'utf8')).toBe('earlier');
  });

  test('copied by Planck is upgraded by its planck_version', () => {
    const text = skillText({ name: 'pdf', planck_version: '0.1.0' });
    expect(upgrade({ 'user/pdf/SKILL.md': text }).outcome).toMatchObject({ ok: true, action: 'upgraded' });
  });

  test('is not upgraded a second time', () => {
    const { root } = upgrade({ 'user/pdf/SKILL.md': skillText({ name: 'pdf', producer_version: '1.0.0' }) });
    const again = { from: join(root, 'bundled/pdf'), to: join(root, 'user/pdf'), version: '2.0.0' };
    expect(upgradeBundledSkill(again)).toEqual({ ok: true, action: 'unchanged' });
  });

  test('gets this package’s version by default', () => {
    const root = makeTree({ 'bundled/pdf/SKILL.md': BUNDLED });
    upgradeBundledSkill({ from: join(root, 'bundled/pdf'), to: join(root, 'user/pdf') });
    expect(fromFile(join(root, 'user/pdf/SKILL.md'))).toMatchObject({ skill: { producerVersion: VERSION } });
  });

  test('keeps the line endings of its frontmatter', () => {
    const text = '---\r\nname: pdf\r\nproducer_version: 1.0.0\r\n---\r\n\r\n# Old\r\n';
    const { copy } = upgrade({ 'user/pdf/SKILL.md': text });
    expect(copy()).toBe('---\r\nname: pdf\r\nproducer_version: "2.0.0"\r\n---\r\n\n# New\n\nNew text.\n');
  });

  test('keeps the scripts executable', () => {
    const { root } = upgrade({ 'bundled/pdf/scripts/fill.sh': '#!/bin/sh\n' });
    expect(statSync(join(root, 'user/pdf/scripts/fill.sh')).mode & 0o111).not.toBe(0);
  });
});

describe('an upgrade of a bundled skill', () => {
  test('fails and writes nothing if there is no such bundled skill', () => {
    const root = makeTree();
    const outcome = upgradeBundledSkill({ from: join(root, 'bundled/pdf'), to: join(root, 'user/pdf') });
    expect(outcome).toMatchObject({ ok: false, code: 'RESOURCE_NOT_FOUND' });
    expect(readdirSync(root)).toEqual([]);
  });

  test('leaves a copy that cannot be parsed unchanged', () => {
    const { outcome, copy } = upgrade({ 'user/pdf/SKILL.md': '---\n{\n---\nmine\n' });
    expect(outcome).toMatchObject({ ok: false, code: 'PARSE_FAILED' });
    expect(copy()).toBe('---\n{\n---\nmine\n');
  });

  test('leaves a copy that is a link unchanged', () => {
    const { outcome, root } = upgrade({ 'elsewhere.md': 'mine', 'user/pdf/SKILL.md': link('../../elsewhere.md') });
    expect(outcome).toMatchObject({ ok: false, code: 'PATH_REFUSED' });
    expect(readFileSync(join(root, 'elsewhere.md'), 'utf8')).toBe('mine');
  });

  test('fails if a file is in the way', () => {
    const { outcome } = upgrade({ user: 'a file' });
    expect(outcome).toMatchObject({ ok: false });
  });
});
