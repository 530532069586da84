import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import { expect, onTestFinished, test } from 'vitest';

import { runModule, sourceUrl } from '../../../test/support/child.ts';
import { makeTree } from '../../../test/support/tree.ts';
import { Thread, type ThreadOptions } from './thread.ts';

const NEVER = new AbortController().signal;

/** A thread whose answer to `request` is what the code says. */
function open(code: string, options: ThreadOptions = {}): Thread {
  const root = makeTree({
    'program.mjs': `
      import { parentPort } from 'node:worker_threads';
      import { answerRequests } from ${JSON.stringify(sourceUrl('platform/process/thread.ts'))};
      let count = 0;
      answerRequests(async (request, signal) => { ${code} });`,
  });
  const thread = new Thread(pathToFileURL(`${root}/program.mjs`), options);
  onTestFinished(() => thread.close());
  return thread;
}

test('a toolset thread answers requests independently of each other', async () => {
  const thread = open(
    'if (request === "slow") await new Promise((r) => setTimeout(r, 30)); return [request, ++count];',
  );
  expect(await Promise.all([thread.ask('slow', NEVER), thread.ask('fast', NEVER)])).toEqual([
    { ok: true, answer: ['slow', 2] },
    { ok: true, answer: ['fast', 1] },
  ]);
  expect(thread.isOver).toBe(false);
});

test('a toolset thread turns a thrown error into a failure and continues', async () => {
  const thread = open('if (request === 1) throw new Error("no"); return request;');
  expect(await thread.ask(1, NEVER)).toEqual({ ok: false, code: 'TOOLSET_FAILED', message: 'no' });
  expect(await thread.ask(2, NEVER)).toEqual({ ok: true, answer: 2 });
});

test('a toolset thread fails a request whose answer cannot be cloned', async () => {
  expect(await open('return () => 1;').ask(1, NEVER)).toMatchObject({
    ok: false,
    message: expect.stringContaining('could not be cloned'),
  });
});

test.each([
  ['process.exit(7)', 'process.exit(7);', 'it ended its thread with code 7'],
  ['an uncaught error', 'setTimeout(() => { throw new Error("late"); }); return new Promise(() => {});', 'late'],
  [
    'an uncaught value without a text',
    'setTimeout(() => { throw { toString: null, valueOf: null }; }); return new Promise(() => {});',
    'it threw something that is not an error',
  ],
  ['an unhandled rejection', 'void Promise.reject(new Error("lost")); return new Promise(() => {});', 'lost'],
])('%s ends a toolset thread and nothing else', async (_, code, message) => {
  const thread = open(code);
  const failure = { ok: false, code: 'TOOLSET_FAILED', message };
  expect(await thread.ask(1, NEVER)).toEqual(failure);
  expect(thread.isOver).toBe(true);
  expect(await thread.ask(2, NEVER)).toEqual(failure);
});

test('running out of memory ends a toolset thread and nothing else', async () => {
  const thread = open('const all = []; for (;;) all.push(new Array(200_000).fill(all.length));', { memoryMb: 16 });
  expect(await thread.ask(1, NEVER)).toMatchObject({ ok: false, message: expect.stringContaining('memory') });
});

test('a toolset thread in an endless loop is abandoned at once and ended soon after', async () => {
  const thread = open('if (request === "loop") for (;;); return request;', { graceMs: 50 });
  expect(await thread.ask('hi', NEVER)).toMatchObject({ ok: true });
  const looping = await thread.ask('loop', AbortSignal.timeout(30));
  expect(looping).toEqual({ ok: false, code: 'TOOLSET_FAILED', message: 'it was stopped' });
  expect(await thread.ask('after', NEVER)).toMatchObject({
    ok: false,
    message: 'it was ended because one of its calls did not stop',
  });
  expect(thread.isOver).toBe(true);
});

/** Enough for a thread to clean up on a busy machine. */
const GRACE_MS = 2_000;

test('a cancelled request may clean up, and its toolset thread continues', async () => {
  const code = `
    if (request === 'count') return count;
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    count += 1;`;
  const thread = open(code, { graceMs: GRACE_MS });
  const controller = new AbortController();
  const asked = thread.ask('wait', controller.signal);
  expect(await thread.ask('count', NEVER)).toEqual({ ok: true, answer: 0 });
  controller.abort();
  expect(await asked).toMatchObject({ ok: false });
  await sleep(GRACE_MS + 100);
  expect(await thread.ask('count', NEVER)).toEqual({ ok: true, answer: 1 });
  expect(await thread.ask('count', AbortSignal.abort())).toMatchObject({ ok: false });
});

test('the output of a toolset thread goes to the caller, not to standard output', async () => {
  const printed: string[] = [];
  const thread = open('console.log("out"); console.error("err");', { print: (text) => printed.push(text) });
  await thread.ask(1, NEVER);
  await expect.poll(() => printed.join('').split('\n').sort()).toEqual(['', 'err', 'out']);
});

test('forged messages from code in a toolset thread are ignored', async () => {
  const thread = open(`
    const textless = { toString: null, valueOf: null };
    for (const junk of [null, 5, {}, { id: 'x' }, { id: 99, answer: 1 }, { id: 98, error: textless }, { printed: textless }])
      parentPort.postMessage(junk);
    return 'fine';`);
  expect(await thread.ask(1, NEVER)).toEqual({ ok: true, answer: 'fine' });
  const forger = open('parentPort.postMessage({ id: 1 }); return new Promise(() => {});');
  expect(await forger.ask(1, NEVER)).toMatchObject({ ok: false, message: 'it gave no answer' });
});

test('closing a toolset thread fails its open requests', async () => {
  const thread = open('return new Promise(() => {});');
  const asked = thread.ask(1, NEVER);
  await thread.close();
  expect(await asked).toMatchObject({ ok: false, message: 'it was closed' });
});

test('an idle toolset thread keeps no process alive, a busy one does, and neither prints by itself', async () => {
  const program = makeTree({
    'program.mjs': `
      import { answerRequests } from ${JSON.stringify(sourceUrl('platform/process/thread.ts'))};
      answerRequests((request) => new Promise((resolve) => setTimeout(resolve, 300, request)));
      console.log('noise');
      delete process.stdout._writev;
      console.log('more noise');`,
  });
  const code = `
    import { Thread } from ${JSON.stringify(sourceUrl('platform/process/thread.ts'))};
    const program = new URL(${JSON.stringify(pathToFileURL(`${program}/program.mjs`).href)});
    const idle = new Thread(program);
    const asked = await new Thread(program).ask('x', new AbortController().signal);
    console.log(JSON.stringify([asked, idle.isOver]));`;
  expect(await runModule(code)).toEqual([{ ok: true, answer: 'x' }, false]);
});

test('the code of a toolset thread refuses to run outside a thread', async () => {
  const { answerRequests } = await import('./thread.ts');
  expect(() => answerRequests(() => Promise.resolve())).toThrow('in a thread of its own');
});
