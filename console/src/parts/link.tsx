import type { ComponentChildren, JSX } from 'preact';

import { go, hrefOf, type Page, type Params } from '../lib/route.ts';

interface LinkProps {
  readonly page: Page;
  readonly params?: Params;
  readonly class?: string;
  readonly title?: string;
  readonly current?: boolean;
  readonly children: ComponentChildren;
}

/** A link to a page of the console. A click with a modifier opens it as the browser does. */
export function Link({ page, params = {}, current, children, ...rest }: LinkProps): JSX.Element {
  const follow = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go(page, params);
  };
  return (
    <a href={hrefOf(page, params)} onClick={follow} aria-current={current === true ? 'page' : undefined} {...rest}>
      {children}
    </a>
  );
}
