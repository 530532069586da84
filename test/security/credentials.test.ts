import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { skillplane } from '../support/command-line.ts';
import { makeTree, skillText } from '../support/tree.ts';

const SECRET = 'ghp_SECRET';
const ADDRESSES = [
  `https://user:${SECRET}@localhost:9/x`,
  `https://${SECRET}@localhost:9/x`,
  `https://us/er:${SECRET}@localhost:9/x`,
  `https://user:pa/ss${SECRET}@localhost:9/x`,
  `https://user:p@${SECRET}@localhost:9/x`,
  `https://user:${SECRET}@localhost:9/@team`,
  `http://user:${SECRET}@localhost:9/x.zip`,
  `ftp://user:${SECRET}@localhost:9/x`,
  `user:${SECRET}@localhost:9/x`,
  `//user:${SECRET}@localhost:9/x`,
  ` https://user:${SECRET}@localhost:9/x`,
  `https://user:${SECRET}%40localhost:9/x`,
  `https://localhost:9/x?access_token=${SECRET}`,
];
const COMMANDS = [
  ['login'],
  ['login', '--logout'],
  ['install', '--yes'],
  ['search', '--remote'],
  ['publish', 'pdf', '--to'],
  ['publish', 'pdf', '--to', 'site', '--url'],
  ['pack', 'pdf', '--to'],
  ['audit'],
];

async function run(args: readonly string[]): Promise<{ readonly said: string; readonly written: string }> {
  const skill = { name: 'pdf', description: 'Fill PDF forms. Use when asked.', metadata: { version: '1.0.0' } };
  const home = makeTree({ 'pdf/SKILL.md': skillText(skill) });
  const { stdout, stderr } = await skillplane(args, { home, input: 'token\n' });
  const files = readdirSync(home, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return entry.isFile() ? `${path}\n${readFileSync(path, 'latin1')}` : path;
  });
  return { said: stdout + stderr, written: files.join('\n') };
}

describe.each(COMMANDS)('the command %s %s %s %s', (...command) => {
  test.each(ADDRESSES)('neither shows nor stores the credentials in %s', async (address) => {
    const { said, written } = await run([...command, address]);
    expect(said).not.toContain(SECRET);
    expect(said).not.toBe('');
    expect(written).not.toContain(SECRET);
  });
});

test.each([['info'], ['run'], ['remove'], ['config', 'get'], ['prompt'], []])(
  'the credentials in an address are not shown by %s %s if the address is no argument that it takes',
  async (...command) => {
    const { said } = await run([...command, `https://user:${SECRET}@localhost:9/x`]);
    expect(said).not.toContain(SECRET);
    expect(said).toContain('localhost:9/x');
  },
);
