import { displayWidth } from '../../model/display-width.ts';
import { encodeText } from './encode.ts';

/** A line as it is printed, and the number of blanks before the caret below it. */
export interface PointedLine {
  readonly line: string;
  readonly indent: number;
}

const ELLIPSIS = '…';

/**
 * Finds the line around a position of a text, cuts it on both sides to at most `columns`, and points at the position. At a
 * combining mark it points at the mark's letter.
 */
export function pointAt(text: string, position: number, columns: number): PointedLine {
  const start = text.slice(0, position).search(/[^\n\r]*$/);
  const line = /^[^\n\r]*/.exec(text.slice(start))?.[0] ?? '';
  const cells = Array.from(line, encodeText);
  const pointed = Array.from(text.slice(start, position)).length;
  const at = attachMark(cells, pointed);
  const [from, to] = cutAround(cells, at, columns);
  const shown = cells.slice(from, to).join('');
  const head = from > 0 ? ELLIPSIS : '';
  return {
    line: `${head}${shown}${to < cells.length ? ELLIPSIS : ''}`,
    indent: displayWidth(head) + displayWidth(cells.slice(from, at).join('')),
  };
}

function attachMark(cells: readonly string[], pointed: number): number {
  let at = pointed;
  while (at > 0 && cells[at] !== undefined && displayWidth(cells[at] ?? '') === 0) at -= 1;
  return at;
}

/** Takes characters on both sides while there is room; one side may use what the other leaves. */
function cutAround(cells: readonly string[], at: number, columns: number): readonly [from: number, to: number] {
  if (displayWidth(cells.join('')) <= columns - (at === cells.length ? 1 : 0)) return [0, cells.length];
  let [from, to] = [at, Math.min(at + 1, cells.length)];
  let room = columns - 2 * ELLIPSIS.length - widthOf(cells[at]);
  for (let isGrowing = true; isGrowing;) {
    isGrowing = false;
    if (from > 0 && widthOf(cells[from - 1]) <= room) {
      from -= 1;
      room -= widthOf(cells[from]);
      isGrowing = true;
    }
    if (to < cells.length && widthOf(cells[to]) <= room) {
      room -= widthOf(cells[to]);
      to += 1;
      isGrowing = true;
    }
  }
  return [from, to];
}

function widthOf(cell = ' '): number {
  return displayWidth(cell);
}
