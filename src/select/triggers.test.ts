import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { foundSkill } from '../../test/support/found.ts';
import { propertyRuns } from '../../test/support/property-runs.ts';
import type { Skill } from '../model/skill.ts';
import { matchTriggers, openTriggers, type MatchOptions } from './triggers.ts';

const SEED = 20_261_115;

interface Given {
  readonly keywords?: readonly string[];
  readonly verbs?: readonly string[];
  readonly patterns?: readonly string[];
  readonly globs?: readonly string[];
  readonly title?: string;
  readonly dir?: string;
}

function make(name: string, { keywords, verbs, patterns, globs, title, dir }: Given = {}): Skill {
  const { skill } = foundSkill(dir ?? `/skills/${name}`, { name });
  const triggers = { keywords: keywords ?? [], verbs: verbs ?? [], patterns: patterns ?? [] };
  return { ...skill, triggers, globs: globs ?? [], title: title ?? name };
}

/** The matches, short: name, then each reason. */
function match(skills: readonly Skill[], message: string, options?: MatchOptions): readonly string[] {
  return matchTriggers(skills, message, { maxSkills: 99, ...options }).map(({ skill, reasons }) =>
    [skill.name, ...reasons.map(({ kind, detail }) => `${kind} ${detail}`)].join(' | '),
  );
}

function namesOf(skills: readonly Skill[], message: string, options?: MatchOptions): readonly string[] {
  return matchTriggers(skills, message, options).map(({ skill }) => skill.name);
}

describe('a skill', () => {
  const skill = make('greeter', {
    keywords: ['Hello', 'c++', 'good morning'],
    verbs: ['wave', 'set up'],
    patterns: ['greet\\s+\\w+'],
    globs: ['*.greeting'],
  });

  test.each([
    ['HELLO there', ['keyword Hello']],
    ['a c++ question', ['keyword c++']],
    ['good-morning!', ['phrase good morning']],
    ['she waved', ['verb wave']],
    ['setting up the room', ['phrase set up']],
    ['Greet   bob', ['pattern greet\\s+\\w+']],
    ['ask the greeter', ['mention greeter']],
    ['/skill:greeter', ['mention greeter']],
    [
      'greet bob: hello, and wave. Hello? Good morning! Waving.',
      ['phrase good morning', 'keyword Hello', 'verb wave', 'pattern greet\\s+\\w+'],
    ],
  ])('is triggered by the message "%s" because of %j', (message, reasons) => {
    expect(match([skill], message)).toEqual([['greeter', ...reasons].join(' | ')]);
  });

  test.each([
    '',
    ' ',
    'othello',
    'microwave',
    'c',
    'good, morning',
    'greet',
    'greeters',
    '\uD83D',
    '\u0301',
    '++',
    '.*',
  ])('is not triggered by the message %j', (message) => {
    expect(match([skill], message)).toEqual([]);
  });

  test('is triggered by a touched file, whatever the message says', () => {
    expect(match([skill], 'nothing', { paths: ['a/b.txt', 'a/x.greeting', 'y.greeting'] })).toEqual([
      'greeter | glob *.greeting: a/x.greeting',
    ]);
    expect(match([skill], 'nothing', { paths: ['a/b.txt'] })).toEqual([]);
  });

  test('is triggered by its name, and by its title if that is unique and has several words', () => {
    const skills = [
      make('pdf', { title: 'PDF Processing Guide' }),
      make('xls', { title: 'Overview' }),
      make('one', { title: 'Quick start' }),
      make('two', { title: 'quick-start' }),
      make('pdf-forms', { title: 'PDF Forms' }),
    ];
    expect(match(skills, 'see the pdf processing guide')).toEqual(['pdf | mention pdf | mention PDF Processing Guide']);
    expect(match([...skills, ...skills], 'pdf processing guide')).toEqual([
      'pdf | mention pdf | mention PDF Processing Guide',
    ]);
    expect(match(skills, 'an overview and a quick start')).toEqual([]);
    expect(match(skills, 'XLS')).toEqual(['xls | mention xls']);
    expect(match(skills, 'pdf forms')[0]).toBe('pdf-forms | mention pdf-forms');
  });

  test('is triggered once per trigger, however often and in whatever form it occurs', () => {
    const twice = make('x', { keywords: ['PDF', 'pdf', 'set up'], verbs: ['set up', 'fill', 'Fill'] });
    expect(match([twice, twice], 'pdf PDF: set up, setting up, fills and filled')).toEqual([
      'x | phrase set up | keyword PDF | verb fill',
    ]);
  });

  test('is never triggered by relevance alone', () => {
    expect(match([skill], 'nothing', { relevance: () => new Map([[skill, 0.9]]) })).toEqual([]);
  });
});

describe('calling a skill by name', () => {
  const skills = [make('pdf'), make('pdf-forms'), make('Träger'), make('v1.2')];

  test.each([
    ['/skill:pdf fill it', ['pdf']],
    ['use $PDF.', ['pdf']],
    ['($pdf)', ['pdf']],
    ['$träger', ['Träger']],
    ['$v1.2.', ['v1.2']],
    ['/SKILL:pdf', ['pdf']],
    ['/skill:pdf-forms', ['pdf-forms', 'pdf']],
    ['$pdf-forms: go', ['pdf-forms', 'pdf']],
    ['/skill:pdf in pdf-forms', ['pdf', 'pdf-forms']],
    ['$pdf. Then pdf-forms', ['pdf', 'pdf-forms']],
    ['$pdfs', []],
    ['/skill:', []],
  ])('with "%s" triggers %j', (message, names) => {
    expect(namesOf(skills, message)).toEqual(names);
  });

  test('requires its sign before the exact name', () => {
    const [called] = matchTriggers([make('a-b'), make('a')], '$a and a b');
    expect(called?.skill.name).toBe('a');
    for (const message of ['x$a and a b', '$$a and a b', 'x/skill:a and a b', '$a-b', '@a and a b', '/a and a b']) {
      expect(namesOf([make('a-b'), make('a')], message)[0]).toBe('a-b');
    }
  });

  test('works for a name that ends with a full stop', () => {
    expect(namesOf([make('a'), make('a.')], '$a.')).toEqual(['a.', 'a']);
  });

  test('calls all skills with that name', () => {
    expect(namesOf([make('pdf', { dir: '/a/pdf' }), make('PDF', { dir: '/b/pdf' })], '$pdf')).toEqual(['PDF', 'pdf']);
  });
});

describe('the order of triggered skills', () => {
  const called = make('called');
  const named = make('named');
  const long = make('lengthy', { keywords: ['a very long phrase'] });
  const wide = make('wide', { keywords: ['phrase enormously'] });
  const short = make('short', { keywords: ['phrase now'] });
  const recent = make('recent', { keywords: ['word'] });
  const relevant = make('relevant', { keywords: ['word'] });
  const plain = make('plain', { keywords: ['word'] });
  const plainer = make('plainer', { verbs: ['word'] });
  const all = [plainer, plain, relevant, recent, short, wide, long, named, called];
  const message = 'word: $called, named, a very long phrase, phrase enormously, phrase now';
  const options: MatchOptions = {
    maxSkills: 99,
    lastUsed: new Map([
      ['recent', 2],
      ['short', 9],
    ]),
    relevance: () =>
      new Map([
        [relevant, 0.4],
        [recent, 0.1],
        [long, 0.994],
      ]),
  };
  const ORDER = ['called', 'named', 'lengthy', 'wide', 'short', 'recent', 'relevant', 'plain', 'plainer'];

  test('is mention, phrase length, most recent use, relevance, name', () => {
    expect(namesOf(all, message, options)).toEqual(ORDER);
  });

  test('does not depend on the order of the skills', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (shuffled) => {
        expect(namesOf(shuffled, message, options)).toEqual(ORDER);
        expect(matchTriggers(shuffled, message, options)).toEqual(matchTriggers(all, message, options));
      }),
      { numRuns: propertyRuns(50), seed: SEED },
    );
  });

  test('puts the more exact name first', () => {
    expect(namesOf([make('code'), make('code-review'), make('code-review-bot')], 'the code review bot')).toEqual([
      'code-review-bot',
      'code-review',
      'code',
    ]);
  });

  test('counts the phrase of a skill with the most words, then the longest', () => {
    const both = make('both', { keywords: ['a b c', 'enormous phrase'] });
    const one = make('alone', { keywords: ['enormous phrases'] });
    expect(namesOf([one, both], 'a b c, enormous phrase, enormous phrases')).toEqual(['both', 'alone']);
    const longer = make('longer', { keywords: ['a b', 'enormous phrase'] });
    const middle = make('middle', { keywords: ['medium word'] });
    expect(namesOf([middle, longer], 'a b, medium word, enormous phrase')).toEqual(['longer', 'middle']);
  });

  test('puts later uses first and unused skills last', () => {
    const skills = ['a', 'b', 'c', 'd'].map((name) => make(name, { keywords: ['word'] }));
    const lastUsed = new Map([
      ['b', 0],
      ['c', 2],
    ]);
    expect(namesOf(skills, 'word', { maxSkills: 4, lastUsed })).toEqual(['c', 'b', 'a', 'd']);
  });

  test('is by directory for equal names', () => {
    const skills = ['/b/x', '/a/x', '/c/x'].map((dir) => make('x', { dir }));
    expect(matchTriggers(skills, 'x').map(({ skill }) => skill.dir)).toEqual(['/a/x', '/b/x', '/c/x']);
  });

  test('gives relevance with its score as a reason if there is any', () => {
    expect(match([relevant, recent, plain], 'word', options)).toEqual([
      'recent | keyword word | relevance 0.10',
      'relevant | keyword word | relevance 0.40',
      'plain | keyword word',
    ]);
  });

  test('computes relevance once per message, and only if something matched', () => {
    const asked: string[] = [];
    const relevance = (text: string): ReadonlyMap<Skill, number> => {
      asked.push(text);
      return new Map();
    };
    const triggers = openTriggers([plain, recent]);
    triggers.match('nothing', { relevance });
    triggers.match('a WORD', { relevance });
    expect(asked).toEqual(['a WORD']);
  });

  test('is cut after three skills, or as many as requested', () => {
    expect(namesOf(all, message)).toEqual(['called', 'named', 'lengthy']);
    expect(namesOf(all, message, { maxSkills: 1 })).toEqual(['called']);
    expect(namesOf(all, message, { maxSkills: 0 })).toEqual([]);
    expect(namesOf(all, message, { maxSkills: -1 })).toEqual([]);
    expect(namesOf(all, message, { maxSkills: Infinity })).toHaveLength(9);
  });
});

describe('triggering by long and strange messages:', () => {
  test('the beginning and the end of a long message count, but are not joined to words', () => {
    const skills = [make('first'), make('last'), make('middle'), make('fin'), make('xx')];
    const filler = 'y '.repeat(300_000);
    expect(namesOf(skills, `first ${filler} middle ${filler} last`)).toEqual(['first', 'last']);
    expect(namesOf(skills, 'x'.repeat(1_000_000))).toEqual([]);
    const torn = (end: string, start: string): string => `${end.padStart(32_768)}${filler}${start.padEnd(32_768)}`;
    expect(namesOf(skills, torn('first', 'last'))).toEqual(['first', 'last']);
    expect(namesOf([...skills, make('first-last')], torn('first', 'last'))).toEqual(['first', 'last']);
    expect(namesOf(skills, torn('f', 'in'))).toEqual([]);
  });

  test('no message throws or triggers a skill that it does not mention', () => {
    const skills = [make('a', { keywords: ['b'], verbs: ['c'], patterns: ['d{3}'], globs: ['*.e'] })];
    for (const message of [
      '\uD800'.repeat(1e5),
      '\u0301'.repeat(1e5),
      '\0',
      '(((.*[+?^$',
      '的'.repeat(1e5),
      '\uFDFA',
    ]) {
      expect(match(skills, message)).toEqual([]);
    }
  });

  test('any skill and message give matches with reasons, within the limit', () => {
    const words = fc.array(
      fc.oneof(fc.string({ unit: 'binary', maxLength: 8 }), fc.constantFrom('a', 'b c', '++', '')),
    );
    const given = fc.record({ keywords: words, verbs: words, patterns: words, globs: words, title: fc.string() });
    const named = fc.tuple(fc.string({ minLength: 1 }), given);
    fc.assert(
      fc.property(fc.array(named, { maxLength: 5 }), fc.string({ unit: 'binary' }), words, (all, message, paths) => {
        const skills = all.map(([name, fields]) => ({ ...make('x', fields), name }));
        const matches = matchTriggers(skills, message, { paths, maxSkills: 2 });
        expect(matches.length).toBeLessThanOrEqual(2);
        for (const { skill, reasons } of matches) {
          expect(skills).toContain(skill);
          expect(reasons.length).toBeGreaterThan(0);
          expect(new Set(reasons.map(({ kind, detail }) => `${kind} ${detail}`)).size).toBe(reasons.length);
        }
      }),
      { numRuns: propertyRuns(1_000), seed: SEED },
    );
  });

  test('hostile keywords do no harm', () => {
    const keywords = ['', ' ', '++', '\u0301', 'x'.repeat(100_000), 'y '.repeat(50_000), '\uD800'];
    const many = Array.from({ length: 10_000 }, (_, at) => `word${at}`);
    const skill = make('s', { keywords: [...keywords, ...many], verbs: keywords, patterns: keywords.slice(2) });
    expect(match([skill], 'say word9999 and word10000')).toEqual(['s | keyword word9999']);
  });
});
