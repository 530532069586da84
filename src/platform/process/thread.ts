import { isMainThread, parentPort, Worker, type MessagePort } from 'node:worker_threads';

import { fail, type Outcome } from '../../model/outcome.ts';

export interface ThreadOptions {
  /** The thread is ended if its heap exceeds this; 512 by default. */
  readonly memoryMb?: number;
  /** How long a cancelled request may clean up before its thread is ended; 1 s by default. */
  readonly graceMs?: number;
  /** Receives the thread's stdout and stderr; dropped by default. */
  readonly print?: ((text: string) => void) | undefined;
}

type Answer = Outcome<{ readonly answer: unknown }>;

/**
 * Runs foreign code in a thread of its own and talks to it by messages. An endless loop, `process.exit`, an uncaught error,
 * a full heap and patched built-ins stay in that thread. This is not a sandbox: the code has the user's rights, and
 * native code, a signal or a heap that overruns in one step can still end the whole process. So can many small objects, on Node.js 24: V8 then runs out of
 * memory before it can end the thread.
 */
export class Thread {
  readonly #worker: Worker;
  readonly #print: (text: string) => void;
  readonly #graceMs: number;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #count = 0;
  #end: string | undefined;

  /** `entry` is a module that calls `answerRequests`. */
  constructor(entry: URL, { memoryMb = 512, graceMs = 1_000, print = () => undefined }: ThreadOptions = {}) {
    const resourceLimits = { maxOldGenerationSizeMb: memoryMb };
    this.#worker = new Worker(entry, { stdout: true, stderr: true, execArgv: [], resourceLimits });
    this.#print = print;
    this.#graceMs = graceMs;
    this.#worker.on('message', (message: unknown) => this.#receive(message));
    this.#worker.on('messageerror', () => void this.close('it sent an unreadable message'));
    this.#worker.on('error', (error: unknown) => this.#finish(explain(error)));
    this.#worker.on('exit', (code) => this.#finish(`it ended its thread with code ${code}`));
    // Output arrives by messages. These streams, read or not, would keep the process alive.
    this.#worker.stdout.destroy();
    this.#worker.stderr.destroy();
    // After adding the listeners, which make the process wait for messages again.
    this.#worker.unref();
  }

  /** True if it has ended or is about to; it no longer answers. */
  get isOver(): boolean {
    return this.#end !== undefined;
  }

  /** Fails at once when the signal aborts; if the request does not end soon after, the thread is ended. */
  ask(request: unknown, signal: AbortSignal): Promise<Answer> {
    if (this.#end !== undefined) return Promise.resolve(fail('TOOLSET_FAILED', this.#end));
    this.#count += 1;
    const id = this.#count;
    const { promise, resolve } = Promise.withResolvers<Answer>();
    let grace: NodeJS.Timeout | undefined;
    const cancel = (): void => {
      resolve(fail('TOOLSET_FAILED', 'it was stopped'));
      this.#send({ id, isCancelled: true });
      grace = setTimeout(() => void this.close('it was ended because one of its calls did not stop'), this.#graceMs);
    };
    this.#waiting.set(id, (answer) => {
      clearTimeout(grace);
      signal.removeEventListener('abort', cancel);
      resolve(answer);
    });
    this.#worker.ref();
    this.#send({ id, request });
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
    return promise;
  }

  async close(why = 'it was closed'): Promise<void> {
    this.#finish(why);
    await this.#worker.terminate();
  }

  #send(message: Message): void {
    // Threads have no origin; windows do.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    this.#worker.postMessage(message);
  }

  /** Foreign code can send anything on this channel. */
  #receive(message: unknown): void {
    if (typeof message !== 'object' || message === null) return;
    if ('printed' in message && typeof message.printed === 'string') this.#print(message.printed);
    if (!('id' in message) || typeof message.id !== 'number') return;
    const settle = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (this.#waiting.size === 0) this.#worker.unref();
    if ('answer' in message) settle?.({ ok: true, answer: message.answer });
    else settle?.(fail('TOOLSET_FAILED', 'error' in message ? explain(message.error) : 'it gave no answer'));
  }

  #finish(why: string): void {
    this.#end ??= why;
    for (const settle of this.#waiting.values()) settle(fail('TOOLSET_FAILED', this.#end));
    this.#waiting.clear();
  }
}

/** Foreign code can throw anything. */
function explain(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown;
  const message: unknown = thrown instanceof Error ? thrown.message : undefined;
  return typeof message === 'string' && message !== '' ? message : 'it threw something that is not an error';
}

/** The thread's side: answers each request. The signal aborts when the caller no longer waits. */
export function answerRequests(answer: (request: unknown, signal: AbortSignal) => Promise<unknown>): void {
  if (isMainThread || parentPort === null) throw new Error('this module answers requests in a thread of its own');
  const port = parentPort;
  forwardPrints(port);
  const running = new Map<number, AbortController>();
  port.on('message', (message: Message) => {
    if ('isCancelled' in message) return running.get(message.id)?.abort();
    const controller = new AbortController();
    running.set(message.id, controller);
    void answer(message.request, controller.signal)
      .then((given) => port.postMessage({ id: message.id, answer: given }))
      .catch((error: unknown) => port.postMessage({ id: message.id, error: explain(error) }))
      .finally(() => running.delete(message.id));
  });
}

function forwardPrints(port: MessagePort): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream._writev = (chunks, done) => {
      for (const { chunk } of chunks) port.postMessage({ printed: String(chunk) });
      done();
    };
  }
}

type Message = { readonly id: number; readonly request: unknown } | { readonly id: number; readonly isCancelled: true };
