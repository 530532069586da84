import type { HostCell } from '../../lib/answers.ts';
import { choose, route } from '../../lib/route.ts';

/** Switched cells that wait to be applied. They are in the address, so that a reload keeps them. */
export function readCells(): readonly HostCell[] {
  return (route.value.params['cells'] ?? '').split(',').flatMap((text) => {
    const [, host, sign, name] = /^([\w-]+?)([ +!])(.+)$/.exec(text) ?? [];
    if (host === undefined || name === undefined) return [];
    return [{ host, name: decodeURIComponent(name), isOn: sign !== '!' }];
  });
}

export function writeCells(cells: readonly HostCell[]): void {
  const texts = cells.map(({ host, name, isOn }) => `${host}${isOn ? '+' : '!'}${encodeURIComponent(name)}`);
  choose({ cells: texts.join(',') });
}

/** Switches a cell; switching it again leaves it as it is. */
export function toggleCell(cell: HostCell): void {
  const cells = readCells();
  const others = cells.filter(({ host, name }) => host !== cell.host || name !== cell.name);
  writeCells(others.length < cells.length ? others : [...others, cell]);
}
