import type { JSX } from 'preact';

import type { AgentColumn } from '../../lib/answers.ts';
import { useSession } from '../../lib/session.ts';
import { visible } from '../../lib/visible-text.ts';
import { grouped } from '../../lib/words.ts';
import { Link } from '../../parts/link.tsx';

interface ColumnHeadProps {
  readonly agent: AgentColumn;
  /** Is there little room? */
  readonly isShort: boolean;
}

/** An agent: how many skills it lists, how full its list is, and whether it is connected. */
export function ColumnHead({ agent, isShort }: ColumnHeadProps): JSX.Element {
  const { title, counts, room } = agent;
  const share = room === undefined ? 0 : room.needed / Math.max(1, room.limit);
  return (
    <div role="columnheader" class="agent-head">
      <strong title={title}>{title}</strong>
      <span class="muted">{grouped(counts.described + counts.named)} listed</span>
      <span class={share > 1 ? 'share full' : 'share'} aria-hidden="true">
        {room !== undefined && <i style={{ width: `${Math.min(100, Math.round(100 * share))}%` }} />}
      </span>
      <Room agent={agent} isShort={isShort} />
      <Connection agent={agent} isShort={isShort} />
    </div>
  );
}

/** How full the list of an agent is. */
export function Room({ agent: { room, faults }, isShort }: ColumnHeadProps): JSX.Element {
  const [fault] = faults;
  if (fault !== undefined)
    return (
      <span class="bad" title={visible(fault.because)}>
        ! settings unreadable
      </span>
    );
  if (room === undefined) return <span class="muted">{isShort ? 'no limit' : 'no limit on its skill list'}</span>;
  const whole = `${grouped(room.needed)} of ${grouped(room.limit)} ${room.unit}`;
  const brief = whole.replace('characters', 'chars');
  if (room.needed > room.limit)
    return (
      <span class="bad" title={`Its skill list is too long: ${whole} (${visible(room.because)})`}>
        ! {isShort ? 'list too long' : brief}
      </span>
    );
  const share = `${Math.round((100 * room.needed) / Math.max(1, room.limit))}% of its list`;
  return (
    <span class="muted" title={`Skill list: ${whole} (${visible(room.because)})`}>
      {isShort ? share : brief}
    </span>
  );
}

/** Whether an agent is connected; if not, the way there. */
export function Connection({ agent: { id, title, connection }, isShort }: ColumnHeadProps): JSX.Element {
  const { isReadOnly } = useSession();
  if (connection === undefined) return <span class="muted">{isShort ? '\u00a0' : 'only its folder is known'}</span>;
  const params = { tab: 'connections', connect: id };
  if (connection.hasServer || connection.hook !== undefined)
    return (
      <Link page="agents" params={{ tab: 'connections' }} class="muted">
        ✓ connected<span class="unseen">: {title}</span>
      </Link>
    );
  return (
    <span class="muted">
      {(!isShort || isReadOnly) && 'not connected '}
      {!isReadOnly && (
        <Link page="agents" params={params} class="button small">
          Connect…<span class="unseen"> {title}</span>
        </Link>
      )}
    </span>
  );
}
