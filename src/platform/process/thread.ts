import { isMainThread, parentPort, Worker, type MessagePort } from 'node:worker_threads';

import { fail, type Outcome } from '../../model/outcome.ts';

export interface ThreadOptions {
  /** Beyond this much memory for its values the thread is ended; 512. */
  readonly memoryMb?: number;
  /** How long a request that nobody waits for any more may still clean up, before its thread is ended; 1 s. */
  readonly graceMs?: number;
  /** What code in the thread prints, standard output and error alike; without it that is dropped. */
  readonly print?: ((text: string) => void) | undefined;
}

type Answer = Outcome<{ readonly answer: unknown }>;

/**
 * Foreign code in a thread of its own, asked by messages. What it can do to this thread is answer wrongly: an endless
 * loop, `process.exit`, an error that nobody catches, a full heap and patched built-ins stay there. It is no sandbox:
 * the code has the user's rights, and native code or a signal to the process still ends everything.
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
    this.#worker.on('messageerror', () => void this.close('it sent what cannot be read'));
    this.#worker.on('error', (error: unknown) => this.#finish(explain(error)));
    this.#worker.on('exit', (code) => this.#finish(`it ended its thread with code ${code}`));
    // What is printed comes by messages. These streams, read or not, would keep the process alive.
    this.#worker.stdout.destroy();
    this.#worker.stderr.destroy();
    // After the listeners: adding one makes the process wait for messages again.
    this.#worker.unref();
  }

  /** Has it ended, or is it about to? It answers no more then. */
  get isOver(): boolean {
    return this.#end !== undefined;
  }

  /** Where the signal is aborted this fails at once; a request that then does not end soon ends the thread. */
  ask(request: unknown, signal: AbortSignal): Promise<Answer> {
    if (this.#end !== undefined) return Promise.resolve(fail('TOOLSET_FAILED', this.#end));
    this.#count += 1;
    const id = this.#count;
    const { promise, resolve } = Promise.withResolvers<Answer>();
    let grace: NodeJS.Timeout | undefined;
    const cancel = (): void => {
      resolve(fail('TOOLSET_FAILED', 'it was stopped'));
      this.#send({ id, isCancelled: true });
      grace = setTimeout(() => void this.close('it was ended, as one of its calls did not end'), this.#graceMs);
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
    // Threads have no origins, windows have.
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

/** Of what foreign code threw; it need not even have a text. */
function explain(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown;
  const message: unknown = thrown instanceof Error ? thrown.message : undefined;
  return typeof message === 'string' && message !== '' ? message : 'it threw something that is no error';
}

/** The thread's side: answers each request. The signal is aborted when nobody waits for the answer any more. */
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
