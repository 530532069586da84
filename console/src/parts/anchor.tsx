import type { ComponentChildren, JSX } from 'preact';

export interface AnchorProps {
  readonly class?: string;
  readonly title?: string;
  readonly tabIndex?: number;
  readonly 'data-at'?: string;
  readonly current?: boolean;
  readonly children: ComponentChildren;
}

interface Destination {
  readonly href: string;
  readonly onFollow: () => void;
}

/** A link inside of the page. A click with a modifier opens it as the browser does. */
export function Anchor({ href, onFollow, current, children, ...rest }: AnchorProps & Destination): JSX.Element {
  const follow = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    onFollow();
  };
  return (
    <a href={href} onClick={follow} aria-current={current === true ? 'page' : undefined} {...rest}>
      {children}
    </a>
  );
}
