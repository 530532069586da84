import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';

import type { HostCell, HostSummary, HostsView, SeenCell, SeenRow, SkillRow } from '../../lib/answers.ts';
import { route } from '../../lib/route.ts';
import { useSession } from '../../lib/session.ts';
import { useRead } from '../../lib/use-read.ts';
import { visible } from '../../lib/visible-text.ts';
import { counted } from '../../lib/words.ts';
import { Link } from '../../parts/link.tsx';
import { Standing } from '../../parts/standing.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { readCells, toggleCell } from './cells.ts';

const ROW_HEIGHT = 32;
const UNSEEN: SeenCell = { standing: 'unseen', because: undefined, isWanted: false };

interface MatrixProps {
  readonly view: HostsView;
  readonly present: readonly HostSummary[];
}

/** Skills against agent programs: what each sees. A cell of a skill that is on can be switched. */
export function Matrix({ view, present }: MatrixProps): JSX.Element {
  const listed = useRead('skills', {}).value;
  const only = route.value.params['only'] ?? '';
  const cells = readCells();
  const rows = useMemo(() => {
    const skills = new Map(listed?.skills.map((skill) => [skill.file, skill]));
    return view.rows.filter((row) => isWanted(row, only)).map((row) => ({ ...row, skill: skills.get(row.file) }));
  }, [view, listed, only]);
  return (
    <div class="matrix">
      <div class="matrix-head" aria-hidden="true">
        <span class="name">{counted(rows.length, 'copy', 'copies')}</span>
        {present.map(({ id, title, counts, faults }) => (
          <span key={id} class="cell" title={faults.map(({ because }) => because).join('; ')}>
            {title}
            <br />
            <span class="muted">
              {counts.described + counts.named} seen{counts.lost > 0 ? `, ${counts.lost} lost` : ''}
            </span>
          </span>
        ))}
      </div>
      <VirtualList
        items={rows}
        rowHeight={ROW_HEIGHT}
        label="Skills and what each host sees"
        keyOf={({ file }) => file}
        render={({ file, skill, cells: seen }) => (
          <div class="skill-line">
            <Link page="skill" params={{ name: skill?.name, tab: 'hosts' }} class="name" title={file}>
              {visible(skill?.name ?? file)}
            </Link>
            {present.map((host, at) => (
              <Cell
                key={host.id}
                host={host}
                skill={skill}
                seen={seen[at] ?? UNSEEN}
                switched={cells.find((cell) => cell.host === host.id && cell.name === skill?.name)}
              />
            ))}
          </div>
        )}
      />
    </div>
  );
}

interface CellProps {
  readonly host: HostSummary;
  readonly skill: SkillRow | undefined;
  readonly seen: SeenCell;
  readonly switched: HostCell | undefined;
}

function Cell({ host, skill, seen, switched }: CellProps): JSX.Element {
  const { isReadOnly } = useSession();
  const { standing, because, isWanted: isOn } = seen;
  const why = visible(because ?? '');
  const canSwitch =
    !isReadOnly &&
    skill !== undefined &&
    skill.shadowedBy === undefined &&
    ['enabled', 'unavailable'].includes(skill.state);
  const content = (
    <>
      <span class="unseen">{host.title} </span>
      {switched === undefined ? (
        <Standing standing={standing} />
      ) : (
        <strong class="accent">{switched.isOn ? '→ show it' : '→ keep it away'}</strong>
      )}
    </>
  );
  if (!canSwitch)
    return (
      <span class="cell" title={[host.title, why].filter(Boolean).join(': ')}>
        {content}
      </span>
    );
  const would = isOn ? `keep it from ${host.title}` : `let ${host.title} see it`;
  return (
    <button
      type="button"
      class="plain cell"
      title={[why, switched === undefined ? `Switch to ${would}` : 'Leave it as it is'].filter(Boolean).join('. ')}
      aria-pressed={switched !== undefined}
      onClick={() => toggleCell({ host: host.id, name: skill.name, isOn: !isOn })}
    >
      {content}
    </button>
  );
}

function isWanted({ cells }: SeenRow, only: string): boolean {
  const standings = cells.map(({ standing }) => standing);
  const seen = standings.filter((standing) => standing === 'described' || standing === 'named').length;
  if (only === 'different') return seen > 0 && seen < standings.length;
  if (only === 'lost' || only === 'hidden') return standings.includes(only);
  return true;
}
