import type { JSX } from 'preact';

import { visible } from '../lib/visible-text.ts';

/** Sentences in which commands and names stand in backticks, which are shown as code. */
export function Hint({ text }: { readonly text: string }): JSX.Element {
  const parts = visible(text).split('`');
  return <span class="hint">{parts.map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</span>;
}
