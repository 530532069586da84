import { describe, expect, test } from 'vitest';

import { splitCommand } from '../model/split-command.ts';
import { findEditor } from './editor.ts';

describe('the editor', () => {
  test.for([
    [{ EDITOR: 'vi' }, ['vi']],
    [{ EDITOR: 'code -w' }, ['code', '-w']],
    [{ VISUAL: 'code  --wait ', EDITOR: 'vi' }, ['code', '--wait']],
    [{ VISUAL: ' ', EDITOR: 'vi' }, ['vi']],
    [{ EDITOR: '' }, undefined],
    [{}, undefined],
  ] as const)('for the environment %j is %j', ([env, words]) => {
    expect(findEditor(env)).toEqual(words);
  });

  test.for([
    [`"/opt/my editor/bin" --wait`, ['/opt/my editor/bin', '--wait']],
    [`'a b' c\\ d "e \\"f\\" \\g"`, ['a b', 'c d', 'e "f" \\g']],
    ['vi; rm -rf ~', ['vi;', 'rm', '-rf', '~']],
    ['$(touch x) `touch y`', ['$(touch', 'x)', '`touch', 'y`']],
    [`--flag="a b"`, ['--flag=a b']],
    [`""`, ['']],
  ] as const)('runs its command without a shell, split into words: %s', ([command, words]) => {
    expect(splitCommand(command)).toEqual(words);
  });
});
