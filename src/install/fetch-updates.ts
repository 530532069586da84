import type { Outcome } from '../model/outcome.ts';
import type { FirstOrigin, OriginContext } from './changes/check-updates.ts';
import { groupForUpdate } from './changes/update-groups.ts';
import type { DecideUpdates, UpdatedSkills } from './changes/update-skills.ts';
import type { InstallRecord } from './install-record.ts';
import { newestOrigin } from './origins/origin-kinds.ts';

/** Looks for newer versions and installs the chosen ones. The first origin is fetched while the rest of the code is loaded. */
export async function fetchUpdates(
  records: readonly InstallRecord[],
  decide: DecideUpdates,
  context: OriginContext,
): Promise<Outcome<UpdatedSkills>> {
  const first = startFirst(records, context);
  await Promise.race([first?.started, first?.opening]);
  const { updateSkills } = await import('./changes/update-skills.ts');
  return updateSkills(records, decide, { ...context, first });
}

function startFirst(
  records: readonly InstallRecord[],
  { environment, place, state, options }: OriginContext,
): (FirstOrigin & { readonly started: Promise<void> }) | undefined {
  const origin = groupForUpdate(records.flatMap(({ locked }) => locked ?? [])).groups[0]?.[0]?.origin;
  if (origin === undefined) return undefined;
  const { promise: started, resolve: onFetching } = Promise.withResolvers<void>();
  const opening = newestOrigin(origin, { ...options, environment, place, into: state.dir, onFetching });
  return { origin, opening, started };
}
