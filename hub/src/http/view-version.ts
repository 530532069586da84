import { listVerdicts, type Verdict } from '../publishing/review.ts';
import { byVersion } from '../store/served.ts';
import type { Version } from '../store/versions.ts';
import type { Call } from './route.ts';

/** A version as someone sees it. */
export interface ViewedVersion extends Version {
  /** The newest published version below it, to compare with. */
  readonly before: string | null;
  /** The verdicts that they could give on it now. */
  readonly verdicts: readonly Verdict[];
}

export function viewVersion(
  { hub, identity }: Pick<Call<unknown, unknown>, 'hub' | 'identity'>,
  version: Version,
): ViewedVersion {
  const served = hub.followed.library.find(version.scope, version.name)?.versions ?? [];
  const before = served.find((one) => one.state === 'published' && byVersion(one, version) < 0);
  return { ...version, before: before?.version ?? null, verdicts: listVerdicts(identity, version) };
}
