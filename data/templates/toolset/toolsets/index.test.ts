import assert from 'node:assert/strict';
import { test } from 'node:test';

import { tools } from './index.ts';

void test('count-words counts the words of a text', async () => {
  const [countWords] = tools;
  assert.equal((await countWords.execute({ text: 'one two' }, {})).output, '2 words');
});
