import type { JSX } from 'preact';

import type { ListedVersion, WireState } from '../../../../hub/src/http/wire.ts';
import { visible } from '../../lib/visible-text.ts';

const WORDS: Readonly<Record<WireState, readonly [word: string, kind: string]>> = {
  published: ['published', 'good'],
  waiting: ['waits for a reviewer', 'warn'],
  rejected: ['rejected', 'bad'],
  yanked: ['yanked', 'bad'],
};

/** The state of a version, with its reason. */
export function VersionState({ version }: { readonly version: ListedVersion }): JSX.Element {
  const [word, kind] = WORDS[version.state];
  return (
    <span>
      <span class={kind}>{word}</span>
      {version.reason !== null && (
        <>
          {': '}
          <bdi>{visible(version.reason)}</bdi>
        </>
      )}
    </span>
  );
}
