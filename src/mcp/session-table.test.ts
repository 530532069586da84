import { expect, test } from 'vitest';

import { openSessionTable, type SessionTable } from './session-table.ts';

function makeTable(): { table: SessionTable<string>; ended: string[]; wait: (time: number) => void } {
  const ended: string[] = [];
  let time = 0;
  const table = openSessionTable<string>({
    maxSessions: 2,
    idleMs: 100,
    now: () => time,
    onEnd: (session) => ended.push(session),
  });
  return { table, ended, wait: (more) => (time += more) };
}

test('a new MCP session takes the place of the one that has been idle longest', () => {
  const { table, ended, wait } = makeTable();
  table.add('1', 'first');
  wait(1);
  table.add('2', 'second');
  wait(1);
  table.open('1')();
  expect(table.makeRoom()).toBe(true);
  table.add('3', 'third');
  expect(ended).toEqual(['second']);
  expect(table.values()).toEqual(['first', 'third']);
  expect(table.get('2')).toBeUndefined();
});

test('a new MCP session is refused while every session has an open stream', () => {
  const { table, ended } = makeTable();
  for (const id of ['1', '2']) table.add(id, id);
  const closes = ['1', '2'].map((id) => table.open(id));
  expect(table.makeRoom()).toBe(false);
  expect(ended).toEqual([]);
  closes[0]?.();
  closes[0]?.();
  expect(table.makeRoom()).toBe(true);
  expect(ended).toEqual(['1']);
});

test('an MCP session ends after its idle time, but not while it has an open stream', () => {
  const { table, ended, wait } = makeTable();
  table.add('1', 'silent');
  table.add('2', 'listening');
  const close = table.open('2');
  wait(101);
  table.sweep();
  expect(ended).toEqual(['silent']);
  close();
  wait(100);
  table.sweep();
  expect(ended).toEqual(['silent']);
  wait(1);
  table.sweep();
  expect(ended).toEqual(['silent', 'listening']);
});

test('an MCP session that its client ended is not ended a second time', () => {
  const { table, ended } = makeTable();
  table.add('1', 'first');
  table.delete('1');
  table.open('1')();
  expect([table.values(), ended]).toEqual([[], []]);
});
