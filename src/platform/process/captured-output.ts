import { TextDecoder } from 'node:util';

export type OutputStream = 'stdout' | 'stderr';

export interface CaptureOptions {
  /** For both streams together, counted before decoding. */
  readonly maxBytes: number;
  /** Receives every piece of text as it arrives. */
  readonly onText?: ((stream: OutputStream, text: string) => void) | undefined;
  /** Called once, when the output exceeds `maxBytes`. */
  readonly onFull: () => void;
}

/** The output of a process, decoded as UTF-8 with invalid bytes replaced, up to a number of bytes. */
export interface CapturedOutput {
  add(stream: OutputStream, bytes: Uint8Array): void;
  /** Ends the output. If the process was stopped, half a character at the end is dropped. */
  end(wasStopped: boolean): void;
  text(stream: OutputStream): string;
  isCut(): boolean;
}

export function captureOutput({ maxBytes, onText, onFull }: CaptureOptions): CapturedOutput {
  const streams = { stdout: openStream(), stderr: openStream() };
  let left = maxBytes;
  let isCut = false;
  const append = (stream: OutputStream, text: string): void => {
    if (text === '') return;
    streams[stream].text += text;
    onText?.(stream, text);
  };
  return {
    add(stream, bytes) {
      if (isCut) return;
      const kept = bytes.subarray(0, left);
      left -= kept.length;
      isCut = kept.length < bytes.length;
      append(stream, streams[stream].decoder.decode(kept, { stream: true }));
      if (isCut) onFull();
    },
    end(wasStopped) {
      if (wasStopped || isCut) return;
      for (const stream of ['stdout', 'stderr'] as const) append(stream, streams[stream].decoder.decode());
    },
    text: (stream) => streams[stream].text,
    isCut: () => isCut,
  };
}

function openStream(): { text: string; readonly decoder: TextDecoder } {
  return { text: '', decoder: new TextDecoder('utf-8', { ignoreBOM: true }) };
}
