import { TARGET_IDS, type TargetId } from '../../model/target-id.ts';
import { WrongUsage, type Options } from './options.ts';

/** Targets of `--for`; `all` selects all of them. */
export function readTargets(options: Options): readonly TargetId[] {
  const chosen = options.all('for').flatMap((word): readonly TargetId[] => {
    if (word === 'all') return TARGET_IDS;
    const id = TARGET_IDS.find((each) => each === word.toLowerCase());
    if (id === undefined) throw new WrongUsage(`--for takes ${TARGET_IDS.join(', ')} or all, not "${word}"`);
    return [id];
  });
  return [...new Set(chosen)];
}
