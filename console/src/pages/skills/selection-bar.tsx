import type { JSX } from 'preact';

import { useSession } from '../../lib/session.ts';
import { switchSkills } from '../../lib/switching.ts';
import { counted, shortPath } from '../../lib/words.ts';

interface SelectionBarProps {
  readonly names: readonly string[];
  readonly onClear: () => void;
}

/** Actions on the selected skills, and what they will change. */
export function SelectionBar({ names, onClear }: SelectionBarProps): JSX.Element | null {
  const { configFile, home } = useSession();
  if (names.length === 0) return null;
  const act = async (to: 'enabled' | 'disabled'): Promise<void> => {
    if (await switchSkills(names, to)) onClear();
  };
  return (
    <div class="selection" role="region" aria-label="Selected skills">
      <span>
        <strong>{counted(names.length, 'skill')}</strong> selected
      </span>
      <button type="button" onClick={() => void act('disabled')}>
        Disable
      </button>
      <button type="button" onClick={() => void act('enabled')}>
        Enable
      </button>
      <button type="button" class="plain" onClick={onClear}>
        Clear
      </button>
      <span class="muted">Changes the lists of skills in {shortPath(configFile, home)}</span>
    </div>
  );
}
