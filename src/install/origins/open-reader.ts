import { openWebReader, type WebReader } from '../../platform/web/web-reader.ts';
import type { OriginOptions } from './origin-kind.ts';
import type { Secret } from './parse-url.ts';

/** An address that we fetch ourselves. */
export interface WebAddress {
  /** Without credentials and fragment. */
  readonly url: string;
  /** `user:password`, if the address had them. */
  readonly credentials?: Secret | undefined;
}

/** Opens a reader for this address, which sends its credentials to no other host. */
export function openReader({ url, credentials }: WebAddress, options: OriginOptions): WebReader {
  const { environment, signal, timeoutMs, readers } = options;
  const authorization = credentials && {
    reveal: () => `Basic ${Buffer.from(credentials.reveal()).toString('base64')}`,
  };
  const settings = { environment, typed: url, authorization, signal, timeoutMs };
  return readers?.open(settings) ?? openWebReader(settings);
}
