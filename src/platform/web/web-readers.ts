import type { WebReader, WebReaderOptions } from './web-reader.ts';

/** Readers that several callers share, so that they share connections. */
export interface WebReaders extends Disposable {
  /**
   * The reader for this typed address, which `openReader` opens the first time. Closing it does nothing; all of them are
   * closed together.
   */
  open(options: WebReaderOptions, openReader: (options: WebReaderOptions) => WebReader): WebReader;
}

export function openWebReaders(): WebReaders {
  const readers = new Map<string, WebReader>();
  return {
    open(options, openReader) {
      const key = JSON.stringify([options.typed, options.authorization?.reveal()]);
      const reader = readers.get(key) ?? openReader(options);
      readers.set(key, reader);
      return { ...reader, close: () => undefined };
    },
    [Symbol.dispose]() {
      for (const reader of readers.values()) reader.close();
    },
  };
}
