import type { JSX } from 'preact';
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

import { CELL_SIGNS, type Cell } from '../../lib/agent-cell.ts';
import type { AgentColumn } from '../../lib/answers.ts';
import { go } from '../../lib/route.ts';
import { useSession } from '../../lib/session.ts';
import { useMedia, useNarrow } from '../../lib/use-narrow.ts';
import { visible } from '../../lib/visible-text.ts';
import { counted, grouped } from '../../lib/words.ts';
import { Link } from '../../parts/link.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { ColumnHead } from './column-head.tsx';
import { toggleMark, type Mark } from './marks.ts';
import { countNames, type MatrixRow } from './rows.ts';

interface MatrixProps {
  readonly agents: readonly AgentColumn[];
  readonly rows: readonly MatrixRow[];
  readonly marks: readonly Mark[];
}

type Item = { readonly title: string; readonly count: number } | MatrixRow;

/** Where the grid has its one stop of the Tab key; column 0 is the name. */
interface Spot {
  readonly row: number;
  readonly column: number;
}

/** Up to so many agents leave room for the description. */
const FEW = 3;
/** So many cells stand side by side on a phone. */
const A_LINE = 7;

/** Skills against agents: a click on an empty cell gives the skill, on a full one it takes it away, once that is applied. */
export function Matrix({ agents, rows, marks }: MatrixProps): JSX.Element {
  const isNarrow = useNarrow();
  const isRoomy = useMedia('(min-width: 1240px)');
  const isWide = isRoomy && agents.length <= FEW;
  const items = useMemo(() => group(rows), [rows]);
  const [spot, setSpot] = useState<Spot>({ row: 0, column: 1 });
  const hasMoved = useRef(false);
  const box = useRef<HTMLDivElement>(null);
  const row = isRow(items[spot.row]) ? spot.row : Math.max(0, items.findIndex(isRow));
  const lines = isNarrow && agents.length > FEW ? Math.ceil(agents.length / A_LINE) : 1;
  const heightOf = useCallback(
    (item: Item): number => {
      if (!isRow(item)) return HEIGHTS.group;
      const path = item.path === undefined ? 0 : 1;
      const reason = countLines(item, isWide ? (agents.length < FEW ? 60 : 36) : isNarrow ? 46 : 40);
      if (isWide) return HEIGHTS.row + HEIGHTS.line * Math.max(path, reason - 1);
      const text = HEIGHTS.line * (1 + path + reason) + (reason > 0 ? 2 : 0);
      return text + (isNarrow ? lines * HEIGHTS.cell + 10 : HEIGHTS.row - HEIGHTS.line);
    },
    [isWide, isNarrow, lines, agents.length],
  );
  useLayoutEffect(() => {
    if (!hasMoved.current) return;
    hasMoved.current = false;
    box.current?.querySelector<HTMLElement>(`[data-at="${row}:${spot.column}"]`)?.focus({ preventScroll: true });
  }, [row, spot.column]);
  const move = (event: KeyboardEvent): void => {
    const next = nextSpot({ row, column: spot.column }, event.key, { items, columns: agents.length });
    if (next === undefined || !(event.target instanceof HTMLElement) || event.target.dataset['at'] === undefined)
      return;
    event.preventDefault();
    hasMoved.current = true;
    setSpot(next);
  };
  return (
    <div
      class={`matrix ${isWide ? 'wide' : 'tight'} ${isNarrow && agents.length > FEW ? 'marked' : ''}`}
      ref={box}
      style={{ '--agents': isNarrow ? Math.min(agents.length, agents.length > FEW ? A_LINE : FEW) : agents.length }}
      onKeyDown={move}
      onFocusIn={({ target }) => {
        const at = target instanceof HTMLElement ? target.dataset['at']?.split(':').map(Number) : undefined;
        if (at?.[0] !== undefined && at[1] !== undefined) setSpot({ row: at[0], column: at[1] });
      }}
    >
      <VirtualList
        items={items}
        rowHeight={heightOf}
        label="Skills and the agents that have them"
        keyOf={(item) => (isRow(item) ? item.file : item.title)}
        current={hasMoved.current ? row : undefined}
        grid={{
          columns: agents.length + 1,
          head: (
            <div role="rowgroup" class="matrix-head">
              <div role="row" aria-rowindex={1} class="matrix-line">
                <div role="columnheader" class="skill muted">
                  {counted(countNames(rows), 'skill')}
                </div>
                {agents.map((agent) => (
                  <ColumnHead key={agent.id} agent={agent} isShort={agents.length > FEW} />
                ))}
              </div>
            </div>
          ),
        }}
        render={(item, at) =>
          isRow(item) ? (
            <Row row={item} at={at} agents={agents} marks={marks} column={at === row ? spot.column : undefined} />
          ) : (
            <div role="rowheader" aria-colspan={agents.length + 1} class="group">
              {item.title} <span class="count">{grouped(item.count)}</span>
            </div>
          )
        }
      />
    </div>
  );
}

/** In pixels. */
const HEIGHTS = { group: 38, row: 36, line: 19, cell: 44 };

/** The lines that a reason and the way out of it take where so many characters fit into one. */
function countLines({ problem, remedy }: MatrixRow, fit: number): number {
  if (problem === undefined) return 0;
  const link = remedy?.label.length ?? 0;
  if (problem.length + link < fit) return 1;
  return (problem.length < fit ? 1 : 2) + (link === 0 ? 0 : 1);
}

function isRow(item: Item | undefined): item is MatrixRow {
  return item !== undefined && 'file' in item;
}

/** Problems come first, with all copies of their names. */
function group(rows: readonly MatrixRow[]): readonly Item[] {
  const faulty = new Set(rows.flatMap(({ name, problem }) => (problem === undefined ? [] : [name])));
  const [wrong, sound] = [rows.filter(({ name }) => faulty.has(name)), rows.filter(({ name }) => !faulty.has(name))];
  return [
    ...(wrong.length === 0 ? [] : [{ title: 'Problems', count: faulty.size }, ...wrong]),
    ...(wrong.length === 0 || sound.length === 0 ? sound : [{ title: 'Skills', count: countNames(sound) }, ...sound]),
  ];
}

function nextSpot(
  { row, column }: Spot,
  key: string,
  { items, columns }: { readonly items: readonly Item[]; readonly columns: number },
): Spot | undefined {
  const rowAt = (from: number, by: number): number => {
    let at = Math.min(items.length - 1, Math.max(0, from + by));
    while (at >= 0 && at < items.length && !isRow(items[at])) at += Math.sign(by);
    return isRow(items[at]) ? at : row;
  };
  const moves: Readonly<Record<string, Spot>> = {
    ArrowRight: { row, column: Math.min(columns, column + 1) },
    ArrowLeft: { row, column: Math.max(0, column - 1) },
    ArrowDown: { row: rowAt(row, 1), column },
    ArrowUp: { row: rowAt(row, -1), column },
    PageDown: { row: rowAt(row, 10), column },
    PageUp: { row: rowAt(row, -10), column },
    Home: { row, column: 0 },
    End: { row, column: columns },
  };
  return moves[key];
}

interface RowProps {
  readonly row: MatrixRow;
  readonly at: number;
  readonly agents: readonly AgentColumn[];
  readonly marks: readonly Mark[];
  /** The column of the Tab stop, if it is in this row. */
  readonly column: number | undefined;
}

function Row({ row, at, agents, marks, column }: RowProps): JSX.Element {
  const { name, brief, path, isCopy, problem, remedy, cells } = row;
  return (
    <div role="presentation" class="matrix-line">
      <div role="rowheader" class="skill">
        <Link
          page="skill"
          params={{ name }}
          class="name mono"
          title={visible(name)}
          tabIndex={column === 0 ? 0 : -1}
          data-at={`${at}:0`}
        >
          {visible(name)}
        </Link>
        {path !== undefined && <span class="path mono muted">{visible(path)}</span>}
        {/* Beside the name where there is room for it. */}
        <span class={problem === undefined ? 'about muted' : 'about why muted'} title={visible(problem ?? brief)}>
          <span>{visible(problem ?? brief)}</span>
          {remedy !== undefined && (
            <Link page="skill" params={{ name, tab: remedy.tab }} tabIndex={-1}>
              {visible(remedy.label)}
              <span class="unseen"> {visible(name)}</span>
            </Link>
          )}
        </span>
      </div>
      {agents.map((agent, index) => (
        <div key={agent.id} role="gridcell">
          <CellButton
            row={row}
            agent={agent}
            cell={cells[index] ?? NOTHING}
            marked={isCopy ? undefined : marks.find((mark) => mark.agent === agent.id && mark.name === name)}
            spot={`${at}:${index + 1}`}
            isStop={column === index + 1}
          />
        </div>
      ))}
    </div>
  );
}

const NOTHING: Cell = { kind: 'fixed', word: '', because: undefined };

interface CellButtonProps {
  readonly row: MatrixRow;
  readonly agent: AgentColumn;
  readonly cell: Cell;
  readonly marked: Mark | undefined;
  readonly spot: string;
  readonly isStop: boolean;
}

function CellButton({ row: { name, isCopy }, agent, cell, marked, spot, isStop }: CellButtonProps): JSX.Element {
  const { isReadOnly } = useSession();
  const { kind, word, because } = cell;
  const state = word === '' ? 'not given' : word;
  const isChange = kind === 'listed' || kind === 'named' || kind === 'empty';
  const isStill = kind === 'fixed' || isCopy || (isReadOnly && isChange);
  const verb = isStill
    ? ''
    : !isChange
      ? kind === 'stuck'
        ? 'How to remove'
        : 'See why'
      : kind === 'empty'
        ? 'Give'
        : 'Remove';
  const why = visible(because ?? '');
  const label = `${visible(name)}, ${agent.title}: ${state}`;
  const common = {
    class: `cell ${kind} ${marked === undefined ? '' : marked.to === 'give' ? 'give' : 'take'}`,
    title: [agent.title, state, why].filter(Boolean).join(' · '),
    tabIndex: isStop ? 0 : -1,
    'data-at': spot,
  };
  const content = (
    <>
      <span class="letters" aria-hidden="true">
        {agent.mark}
      </span>
      <i aria-hidden="true" data-sign={verb === 'Give' ? '+' : verb === 'Remove' ? '−' : undefined}>
        {marked === undefined ? CELL_SIGNS[kind] : marked.to === 'give' ? '+' : '−'}
      </i>
      <span class="is">{word}</span>
      <span class="do">{verb}</span>
    </>
  );
  if (isStill)
    return (
      <span {...common} role="img" aria-label={[label, why].filter(Boolean).join('. ')}>
        {content}
      </span>
    );
  return (
    <button
      type="button"
      {...common}
      {...(isChange && { 'aria-pressed': marked !== undefined })}
      aria-label={marked === undefined ? `${label}. ${verb}` : `${label}. Marked: ${verb}`}
      onClick={() =>
        isChange ? toggleMark({ agent: agent.id, name, to: kind === 'empty' ? 'give' : 'kept' }) : go('skill', { name })
      }
    >
      {content}
    </button>
  );
}
