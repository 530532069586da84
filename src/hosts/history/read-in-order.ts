import type { Outcome } from '../../model/outcome.ts';
import { breathe } from '../../platform/clock.ts';
import type { HostFile, ReadHostFile } from './history-reader.ts';
import { mostBytesOf, type FileRead } from './read-file.ts';

/** A file that was read, could not be opened, or is left for the next time. */
export type FileResult =
  | { readonly state: 'read'; readonly read: FileRead }
  | { readonly state: 'unreadable' | 'left' };

/** Reads files elsewhere; undefined if that fails. */
export type AskForFiles = (files: readonly HostFile[]) => Promise<readonly FileResult[] | undefined>;

export interface ReadingPlan {
  readonly read: ReadHostFile;
  readonly helpers: readonly AskForFiles[];
  /** How many bytes to read at most. */
  readonly maxBytes: number;
  readonly isLate: () => boolean;
  /** Takes the results, in the order of the files. If it fails, no more is read. */
  readonly take: (file: HostFile, result: FileResult) => Promise<Outcome>;
}

/** Reads files here and with helpers. The results and their order do not depend on the helpers. */
export async function readInOrder(files: readonly HostFile[], plan: ReadingPlan): Promise<Outcome> {
  const reading = new OrderedReading(files, plan);
  const [here] = await Promise.all([reading.workHere(), ...plan.helpers.map((ask) => reading.workThere(ask))]);
  return here.ok ? reading.takeDone() : here;
}

/** So much is asked of a helper at once: worth a message, and so little that all end at about the same time. */
const BATCH_BYTES = 4_194_304;

class OrderedReading {
  readonly #files: readonly HostFile[];
  readonly #plan: ReadingPlan;
  /** Results that wait for those before them. */
  readonly #done = new Map<number, FileResult>();
  #next = 0;
  #taken = 0;
  /** Bytes that were read, or are reserved for helpers. */
  #spent = 0;

  constructor(files: readonly HostFile[], plan: ReadingPlan) {
    this.#files = files;
    this.#plan = plan;
  }

  async workHere(): Promise<Outcome> {
    while (this.#next < this.#files.length) {
      this.#next += 1;
      this.#readHere(this.#next - 1);
      const taken = await this.takeDone();
      if (!taken.ok) {
        // Helpers find nothing more to do.
        this.#next = this.#files.length;
        return taken;
      }
      await breathe();
    }
    return { ok: true };
  }

  async workThere(ask: AskForFiles): Promise<void> {
    for (let batch = this.#takeBatch(); batch.end > batch.start; batch = this.#takeBatch()) {
      const { start, end, bytes } = batch;
      this.#spent += bytes;
      const answer = await ask(this.#files.slice(start, end));
      this.#spent -= bytes;
      for (let at = start; at < end; at += 1) {
        const result = answer?.[at - start];
        if (result === undefined) this.#readHere(at);
        else this.#keep(at, result);
      }
      if (answer === undefined) return;
    }
  }

  async takeDone(): Promise<Outcome> {
    for (;;) {
      const [file, result] = [this.#files[this.#taken], this.#done.get(this.#taken)];
      if (file === undefined || result === undefined) return { ok: true };
      this.#done.delete(this.#taken);
      this.#taken += 1;
      const taken = await this.#plan.take(file, result);
      if (!taken.ok) return taken;
    }
  }

  /** All of a batch fits into the limit: a helper does not know how much the others read. */
  #takeBatch(): { readonly start: number; readonly end: number; readonly bytes: number } {
    const start = this.#next;
    let bytes = 0;
    for (let file = this.#files[start]; file !== undefined && bytes < BATCH_BYTES; file = this.#files[this.#next]) {
      const most = mostBytesOf(file.file);
      if (this.#isSpent(bytes + most)) break;
      bytes += most;
      this.#next += 1;
    }
    return { start, end: this.#next, bytes };
  }

  #readHere(at: number): void {
    const file = this.#files[at];
    // The first one is read in any case, so that each import gets on.
    const isLeft = file === undefined || (at > 0 && this.#isSpent(0));
    this.#keep(at, isLeft ? LEFT : toResult(this.#plan.read(file, (bytes) => this.#isSpent(bytes))));
  }

  #keep(at: number, result: FileResult): void {
    this.#done.set(at, result);
    if (result.state === 'read') this.#spent += result.read.bytes;
  }

  #isSpent(bytes: number): boolean {
    return this.#spent + bytes >= this.#plan.maxBytes || this.#plan.isLate();
  }
}

export const LEFT: FileResult = { state: 'left' };

export function toResult(read: FileRead | undefined): FileResult {
  return read === undefined ? { state: 'unreadable' } : { state: 'read', read };
}
