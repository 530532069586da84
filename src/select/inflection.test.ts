import { expect, test } from 'vitest';

import { inflect } from './inflection.ts';

test.each([
  ['deploy', 'deploys deployed deploying'],
  ['fix', 'fixes fixed fixing'],
  ['push', 'pushes pushed pushing'],
  ['watch', 'watches watched watching'],
  ['process', 'processes processed processing'],
  ['query', 'queries queried querying'],
  ['create', 'creates created creating'],
  ['agree', 'agrees agreed agreeing'],
  ['dye', 'dyes dyed dyeing'],
  ['tie', 'ties tied tying'],
  ['scan', 'scans scanned scanning'],
  ['quit', 'quits quitting'],
  ['quiz', 'quizzes quizzed quizzing'],
  ['fill', 'fills filled filling'],
  ['flow', 'flows flowed flowing'],
  ['review', 'reviews reviewed reviewing'],
  ['panic', 'panics panicked panicking'],
  ['echo', 'echoes echos echoed echoing'],
  ['is', 'ises issed issing'],
])('the verb %s has the forms %s', (verb, forms) => {
  expect(inflect(verb)).toEqual([verb, ...forms.split(' ')]);
});

test('a longer verb gets forms with and without a doubled last letter, since spelling does not show its stress', () => {
  expect(inflect('commit')).toEqual(['commit', 'commits', 'commited', 'committed', 'commiting', 'committing']);
  expect(inflect('edit')).toContain('edited');
  expect(inflect('format')).toContain('formatted');
  expect(inflect('plan')).not.toContain('planed');
});

test.each([
  ['run', 'runs ran running'],
  ['write', 'writes wrote written writing'],
  ['build', 'builds built building'],
  ['make', 'makes made making'],
  ['read', 'reads reading'],
  ['set', 'sets setting'],
  ['do', 'does dos did done doing'],
  ['have', 'has had having'],
  ['see', 'sees saw seen seeing'],
  ['undo', 'undoes undos undid undone undoing'],
  ['rewrite', 'rewrites rewrote rewritten rewriting'],
  ['rebuild', 'rebuilds rebuilt rebuilding'],
])('the irregular verb %s has the forms %s', (verb, forms) => {
  expect(inflect(verb)).toEqual([verb, ...forms.split(' ')]);
});

test('a verb of several words is inflected in its first or last word', () => {
  expect(inflect('set up')).toEqual(expect.arrayContaining(['set up', 'sets up', 'setting up']));
  expect(inflect('fine tune')).toEqual(expect.arrayContaining(['fine tuned', 'fine tuning']));
  expect(inflect('roll it back')).toContain('rolled it back');
});

test.each(['c++', '部署', 'ssh', 'x', '', 'développer', 'deploy2'])(
  '%j is not an English verb and is not inflected',
  (text) => {
    expect(inflect(text)).toEqual([text]);
  },
);

test('nouns such as runner and deployment are not forms of a verb', () => {
  expect(inflect('run')).not.toContain('runner');
  expect(inflect('deploy')).not.toContain('deployment');
});
