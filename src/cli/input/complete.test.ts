import { describe, expect, test } from 'vitest';

import { commands } from '../commands.ts';
import { complete } from './complete.ts';

const SOURCES = {
  skills: async () => ['pdf', 'pandas', 'mail', '$(touch pwned)', 'two words'],
  settings: () => ['disabled', 'sandbox'],
};

async function offered(...line: readonly string[]): Promise<readonly string[]> {
  const { words, takesFiles } = await complete(line, commands, SOURCES);
  return takesFiles ? [...words, 'FILES'] : words;
}

describe('completing a command line', () => {
  test.each([
    [['inst'], ['install']],
    [['--json', 'tru'], ['trust']],
    [['help'], ['help']],
    [['manage', 'roll'], ['rollback']],
    [
      ['info', 'p'],
      ['pandas', 'pdf'],
    ],
    [['manage', 'hold', 'm'], ['mail']],
    [['agents', 'exp'], ['explain']],
    [['disable', 'pdf', 'm'], ['mail']],
    [
      ['install', '--use'],
      ['--use-git-credentials', '--user'],
    ],
    [['show', '--cwd', 'x'], ['FILES']],
    [['show', '-C', 'x'], ['FILES']],
    [
      ['validate', 'p'],
      ['pandas', 'pdf', 'FILES'],
    ],
    [['install', './s'], ['FILES']],
    [
      ['config', 'completion', ''],
      ['bash', 'fish', 'zsh'],
    ],
    [['config', 'g'], ['get']],
    [['config', 'get', 's'], ['sandbox']],
    [['search', 'p'], []],
    [
      ['nonsense', 'p'],
      ['pack', 'prompt', 'publish'],
    ],
  ])('offers for %j the words %j', async (line, words) => {
    expect(await offered(...line)).toEqual(words);
  });

  test('never offers a name that the shell would interpret', async () => {
    expect(await offered('info', '')).toEqual(['mail', 'pandas', 'pdf']);
  });

  test('reads the skills only where a skill name may stand', async () => {
    const skills = (): Promise<never> => Promise.reject(new Error('read for nothing'));
    await expect(complete(['inst'], commands, { ...SOURCES, skills })).resolves.toMatchObject({ words: ['install'] });
  });
});
