import type { JSX } from 'preact';

import { go, hrefOf, type Page, type Params } from '../lib/route.ts';
import { Anchor, type AnchorProps } from './anchor.tsx';

interface LinkProps extends AnchorProps {
  readonly page: Page;
  readonly params?: Params;
}

/** A link to a page of the console. */
export function Link({ page, params = {}, ...rest }: LinkProps): JSX.Element {
  return <Anchor href={hrefOf(page, params)} onFollow={() => go(page, params)} {...rest} />;
}
