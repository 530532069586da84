import { describe, expect, test } from 'vitest';

import { renderTurn } from './turn-record.ts';

describe('the record of a turn', () => {
  test('has one line of JSON for the request, each tool call and the answer', () => {
    const lines = renderTurn({
      request: 'Build\nit.',
      toolCalls: [
        { name: 'bash', args: { command: 'make' }, output: 'no rule', isError: true },
        { name: 'bash', args: 'npm run build', output: { code: 0 } },
        { name: 'look' },
      ],
      answer: 'Built.',
    });
    expect(lines.split('\n').map((line): unknown => JSON.parse(line))).toEqual([
      { request: 'Build\nit.' },
      { call: 1, tool: 'bash', args: '{"command":"make"}', error: 'no rule' },
      { call: 2, tool: 'bash', args: 'npm run build', result: '{"code":0}' },
      { call: 3, tool: 'look', args: '', result: '' },
      { answer: 'Built.' },
    ]);
  });

  test('truncates long texts, omits the middle of a long turn, and says so', () => {
    const call = { name: 'read', args: {}, output: `${'x'.repeat(1_000_000)}END` };
    const text = renderTurn({ request: 'y'.repeat(100_000), toolCalls: Array.from({ length: 500 }, () => call) });
    expect(text.length).toBeLessThan(30_000);
    expect(text).toContain('{"omittedCalls":460}');
    expect(text).toContain('END (1000003 characters)');
    expect(text).toContain('"call":500');
  });

  test('shows invisible characters, and marks values that are not JSON', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    const text = renderTurn({
      request: 'a\u202Eb\u{E0041}',
      toolCalls: [{ name: 'x', args: circle, output: 10n }],
    });
    expect(text).toBe(
      '{"request":"a\uFFFDb\uFFFD"}\n{"call":1,"tool":"x","args":"(not representable as JSON)","result":"(not representable as JSON)"}',
    );
  });
});
