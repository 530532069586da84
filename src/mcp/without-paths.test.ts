import { expect, test } from 'vitest';

import { withoutPaths } from './without-paths.ts';

test.each([
  ['there is no /home/ann/.agent/skills/pdf/SKILL.md any more', 'there is no SKILL.md any more'],
  ['"/home/ann/x" cannot be read', '"x" cannot be read'],
  ['/home/ann/my skills/pdf: broken', 'pdf: broken'],
  [String.raw`C:\Users\ann\x.md is gone`, 'x.md is gone'],
  ['read skill://pdf/references/a.md', 'read skill://pdf/references/a.md'],
  ['either and/or both; 1/2', 'either and/or both; 1/2'],
  ['see https://example.com/a/b', 'see https://example.com/a/b'],
  ['references/a.md is no file', 'references/a.md is no file'],
])('%s', (message, expected) => {
  expect(withoutPaths(message, ['/home/ann', '/home/ann/my skills'])).toBe(expected);
});
