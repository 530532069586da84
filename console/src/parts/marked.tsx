import type { JSX } from 'preact';

import { visible } from '../lib/visible-text.ts';

interface MarkedProps {
  readonly text: string;
  /** Words to mark where they begin a word, in lower case. */
  readonly words: readonly string[];
}

/** Text with the words of a search marked. */
export function Marked({ text, words }: MarkedProps): JSX.Element {
  const shown = visible(text);
  if (words.length === 0) return <bdi>{shown}</bdi>;
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${words.map(escapePattern).join('|')})`, 'giu');
  const parts = shown.split(pattern);
  return <bdi>{parts.map((part, at) => (at % 2 === 1 ? <mark key={at}>{part}</mark> : part))}</bdi>;
}

/** The words of a request that can be marked. */
export function wordsOf(query: string): readonly string[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  return [...new Set(words)].sort((a, b) => b.length - a.length).slice(0, 20);
}

function escapePattern(word: string): string {
  return word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
