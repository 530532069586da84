import { expect, test } from 'vitest';

import { findPager } from './pager.ts';

test.each([
  ['less, if nothing is set', {}, ['less']],
  ['$PAGER', { PAGER: 'most -s' }, ['most', '-s']],
  ['$SKILLPLANE_PAGER before $PAGER', { SKILLPLANE_PAGER: "'my pager'", PAGER: 'most' }, ['my pager']],
  ['none, if the variable is empty', { SKILLPLANE_PAGER: '', PAGER: 'most' }, undefined],
  ['none for cat', { PAGER: 'cat' }, undefined],
  ['none with $NO_PAGER', { NO_PAGER: '1', PAGER: 'most' }, undefined],
  ['none on a terminal that cannot move its cursor', { TERM: 'dumb' }, undefined],
])('the pager is %s', (_what, env, words) => {
  expect(findPager(env)).toEqual(words);
});
