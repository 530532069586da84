import { useEffect, useState } from 'preact/hooks';

/** As in the stylesheet: below this width rows have two lines, and the menu is a bar. */
const NARROW = '(max-width: 719px)';

/** Is the window as narrow as a phone? */
export function useNarrow(): boolean {
  return useMedia(NARROW);
}

/** Does the window match a media query? */
export function useMedia(wanted: string): boolean {
  const [isMatching, setMatching] = useState(() => matchMedia(wanted).matches);
  useEffect(() => {
    const query = matchMedia(wanted);
    const look = (): void => setMatching(query.matches);
    look();
    query.addEventListener('change', look);
    return () => query.removeEventListener('change', look);
  }, [wanted]);
  return isMatching;
}
