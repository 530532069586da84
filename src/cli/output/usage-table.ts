import { findHostId } from '../../model/agents.ts';
import { displayWidth, fitToWidth } from '../../model/display-width.ts';
import { isoTime } from '../../model/time.ts';
import type { SkillReport, Trend } from '../../usage/usage-report.ts';
import { encodeText } from './encode.ts';
import type { Piece } from './output.ts';

export interface TableOptions {
  readonly columns: number;
  /** The time that ages are counted from. */
  readonly now: number;
}

/** Lays out one line per skill: name, chart of uses, number of uses, age of the last use, trend. */
export function layOutTable(skills: readonly SkillReport[], { columns, now }: TableOptions): readonly Row[] {
  const rows = skills.map((skill) => ({
    name: encodeText(skill.exists ? skill.name : `${skill.name} (${whereabouts(skill)})`),
    uses: String(skill.uses),
    age: skill.lastUsed === undefined ? '' : describeAge(now - skill.lastUsed),
  }));
  const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map(displayWidth));
  const usesWidth = widest(rows.map(({ uses }) => uses));
  const ageWidth = widest(rows.map(({ age }) => age));
  const others = usesWidth + ageWidth + TREND_WIDTH + 4 * GAP.length;
  const nameWidth = widest(rows.map(({ name }) => name));
  const fits = (width: number): boolean => Math.min(nameWidth, ROOMY_NAME) + width + others <= columns;
  const chartWidth = CHART_WIDTHS.find(fits) ?? NARROWEST_CHART;
  const nameRoom = Math.max(SHORTEST_NAME, Math.min(nameWidth, columns - chartWidth - others));
  return skills.map((skill, at) => {
    const { name = '', uses = '', age = '' } = rows[at] ?? {};
    return [
      { text: pad(fitToWidth(name, nameRoom), nameRoom), style: skill.exists ? 'bold' : 'dim' },
      GAP,
      { text: drawChart(merge(skill.series, chartWidth)), style: 'cyan' },
      `${GAP}${uses.padStart(usesWidth)}${GAP}${pad(age, ageWidth)}${GAP}`,
      SIGNS[skill.trend],
    ];
  });
}

type Row = readonly Piece[];

/** A report as `--json` prints it: with a date. */
export function withDate(skill: SkillReport): object {
  return { ...skill, lastUsed: skill.lastUsed === undefined ? undefined : isoTime(skill.lastUsed) };
}

/** A skill of another agent, such as one that comes with it, was never in the catalog. */
function whereabouts({ agents }: SkillReport): string {
  const names = Object.keys(agents);
  const isOfHosts = names.length > 0 && names.every((name) => findHostId(name) !== undefined);
  return isOfHosts ? names.join(', ') : 'gone';
}

const GAP = '  ';
const CHART_WIDTHS = [24, 12];
const NARROWEST_CHART = 6;
const SHORTEST_NAME = 8;
/** Names are cut to this width before charts get shorter. */
const ROOMY_NAME = 24;
const TREND_WIDTH = 3;

const SIGNS: Readonly<Record<Trend, Piece>> = {
  rising: { text: '↑', style: 'green' },
  falling: { text: '↓', style: 'yellow' },
  steady: { text: '→', style: 'dim' },
  new: { text: 'new', style: 'green' },
};

function pad(text: string, width: number): string {
  return `${text}${' '.repeat(Math.max(0, width - displayWidth(text)))}`;
}

/** Adds up neighbours until the series has `width` bars. */
function merge(series: readonly number[], width: number): readonly number[] {
  return Array.from({ length: width }, (_, at) => {
    const start = Math.floor((at * series.length) / width);
    const end = Math.floor(((at + 1) * series.length) / width);
    return series.slice(start, end).reduce((sum, value) => sum + value, 0);
  });
}

const BARS = '▁▂▃▄▅▆▇█';

/** The lowest bar means zero; every use raises it. */
export function drawChart(series: readonly number[]): string {
  const most = Math.max(1, ...series);
  return series.map((value) => BARS[Math.ceil((value / most) * (BARS.length - 1))] ?? '').join('');
}

const AGES = [
  { below: 3_600_000, unit: 60_000, name: 'min' },
  { below: 86_400_000, unit: 3_600_000, name: 'h' },
  { below: 14 * 86_400_000, unit: 86_400_000, name: 'd' },
  { below: 365 * 86_400_000, unit: 7 * 86_400_000, name: 'w' },
  { below: Number.POSITIVE_INFINITY, unit: 365 * 86_400_000, name: 'y' },
];

export function describeAge(milliseconds: number): string {
  const age = AGES.find(({ below }) => milliseconds < below);
  const count = Math.floor(milliseconds / (age?.unit ?? 1));
  return count < 1 ? 'just now' : `${count} ${age?.name} ago`;
}
