import { useLayoutEffect, useRef } from 'preact/hooks';

/** Actions by key. */
export type Keys = Readonly<Record<string, () => void>>;

const stack: { current: Keys }[] = [];

/** Binds keys while a component is shown; the one shown last goes first. Keys that are typed into a field are left alone. */
export function useKeys(keys: Keys): void {
  const held = useRef(keys);
  held.current = keys;
  // Keys work as soon as the component can be seen; an effect would come a moment later.
  useLayoutEffect(() => {
    stack.push(held);
    return () => {
      stack.splice(stack.indexOf(held), 1);
    };
  }, []);
}

/** Leaves a field, else a page that was opened from a list. */
export function leave(isOpenedPage: boolean): void {
  if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
  else if (isOpenedPage) history.back();
}

let prefix = '';

export function listenForKeys(): void {
  window.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    // A dialog has the keys to itself.
    if (document.querySelector('dialog[open]') !== null) return;
    const combined = `${prefix}${event.key}`;
    prefix = '';
    const found = find(combined) ?? find(event.key);
    if (found !== undefined) {
      event.preventDefault();
      found();
    } else if (event.key === 'g') prefix = 'g ';
  });
}

function find(key: string): (() => void) | undefined {
  return stack.toReversed().find(({ current }) => key in current)?.current[key];
}

function isTyping({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (key === 'Escape') return false;
  return target.matches('input:not([type=checkbox]):not([type=range]), textarea, select');
}
