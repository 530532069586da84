import { readFileSync } from 'node:fs';

/** The ```ts blocks of a Markdown file, in order. */
export function codeSamples(file: string): readonly string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => match[1] ?? '');
}
