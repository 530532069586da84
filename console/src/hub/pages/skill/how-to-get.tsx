import type { JSX } from 'preact';

import type { VersionAnswer } from '../../../../../hub/src/http/wire.ts';
import { visible } from '../../../lib/visible-text.ts';
import { archiveAddress } from '../../lib/api.ts';
import { labelOf, versionLabel } from '../../lib/labels.ts';

/** How to install a version, and facts that matter before that. */
export function HowToGet({ version }: { readonly version: VersionAnswer }): JSX.Element {
  const { license, compatibility, allowedTools = [] } = version.manifest;
  return (
    <aside class="why-here" aria-label="How to get it">
      <h2>How to get it</h2>
      <dl>
        {version.state === 'published' && (
          <>
            <dt>Install</dt>
            <dd>
              <code>skillplane install {visible(labelOf(version))}</code>
            </dd>
            <dt>Exactly this version</dt>
            <dd>
              <code>skillplane install {visible(versionLabel(version))}</code>
            </dd>
          </>
        )}
        <dt>Archive</dt>
        <dd>
          <a href={archiveAddress(version)} download>
            Download
          </a>
        </dd>
        <dt>Digest</dt>
        <dd class="mono digest">{version.digest}</dd>
        {license !== undefined && (
          <>
            <dt>License</dt>
            <dd>{visible(license)}</dd>
          </>
        )}
        {compatibility !== undefined && (
          <>
            <dt>Needs</dt>
            <dd>{visible(compatibility)}</dd>
          </>
        )}
        {allowedTools.length > 0 && (
          <>
            <dt>Allowed tools</dt>
            <dd class="mono">{visible(allowedTools.join(' '))}</dd>
          </>
        )}
      </dl>
    </aside>
  );
}
