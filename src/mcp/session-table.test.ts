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

test('a new session takes the place of the one that was silent longest', () => {
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

test('where something is open in every session there is no room', () => {
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

test('a session that is silent for too long ends, one with an open stream does not', () => {
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

test('a session that its client ended is gone without being ended again', () => {
  const { table, ended } = makeTable();
  table.add('1', 'first');
  table.delete('1');
  table.open('1')();
  expect([table.values(), ended]).toEqual([[], []]);
});
