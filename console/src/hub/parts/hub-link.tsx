import type { JSX } from 'preact';

import type { Params } from '../../lib/routing.ts';
import { visible } from '../../lib/visible-text.ts';
import { Anchor, type AnchorProps } from '../../parts/anchor.tsx';
import type { SkillName } from '../lib/api.ts';
import { labelOf } from '../lib/labels.ts';
import { go, hrefOf, type HubPage } from '../lib/route.ts';

interface HubLinkProps extends AnchorProps {
  readonly page: HubPage;
  readonly params?: Params;
}

/** A link to a page of the hub. */
export function HubLink({ page, params = {}, ...rest }: HubLinkProps): JSX.Element {
  return <Anchor href={hrefOf(page, params)} onFollow={() => go(page, params)} {...rest} />;
}

/** A link to a skill, or to one version of it. */
export function SkillLink({ skill, version }: { readonly skill: SkillName; readonly version?: string }): JSX.Element {
  const label = `${labelOf(skill)}${version === undefined ? '' : `@${version}`}`;
  return (
    <HubLink page="skill" params={{ of: labelOf(skill), v: version }} class="mono">
      <bdi>{visible(label)}</bdi>
    </HubLink>
  );
}
