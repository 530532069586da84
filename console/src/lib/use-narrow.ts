import { useEffect, useState } from 'preact/hooks';

/** As in the stylesheet: below this width rows have two lines, and the menu is a bar. */
const NARROW = '(max-width: 719px)';

/** Is the window as narrow as a phone? */
export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const query = matchMedia(NARROW);
    const look = (): void => setNarrow(query.matches);
    query.addEventListener('change', look);
    return () => query.removeEventListener('change', look);
  }, []);
  return isNarrow;
}
