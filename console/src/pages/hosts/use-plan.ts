import { useEffect, useState } from 'preact/hooks';

import type { HostCell, SwitchedView } from '../../../../src/http/wire/hosts.ts';
import type { WireFailure } from '../../../../src/http/wire/skills.ts';
import { run } from '../../lib/api.ts';
import { revision } from '../../lib/connection.ts';

interface CellPlan {
  readonly plan: SwitchedView | undefined;
  readonly failure: WireFailure | undefined;
}

/** The plan for switched cells; that of the last ones while a newer one is on its way. */
export function usePlan(cells: readonly HostCell[]): CellPlan {
  const [state, setState] = useState<CellPlan>({ plan: undefined, failure: undefined });
  const key = JSON.stringify(cells);
  const version = revision.value;
  useEffect(() => {
    if (cells.length === 0) return undefined;
    const stop = new AbortController();
    const look = async (): Promise<void> => {
      const answer = await run('hosts/plan', { cells }, { signal: stop.signal, onProgress: () => undefined });
      if (stop.signal.aborted) return;
      setState(answer.ok ? { plan: answer.value, failure: undefined } : { plan: undefined, failure: answer.failure });
    };
    void look();
    return () => stop.abort();
  }, [key, version]);
  return state;
}
