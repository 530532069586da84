import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

import { makeTemporaryTree, type Tree } from '../src/platform/files/temporary-tree.ts';

/** Draws what the command line prints for a few sample skills, as SVGs by their path. It needs a build. */
export function drawTerminals(): Readonly<Record<string, string>> {
  using tree = makeTemporaryTree(SAMPLE);
  const draw = ([path, session]: (typeof SESSIONS)[number]): readonly [string, string] => {
    const lines = session.flatMap((args) => [
      `\u001B[1m$ ${['skillplane', ...args.map(quote)].join(' ')}\u001B[22m`,
      ...run(args, tree.root),
    ]);
    const label = session.map((args) => ['skillplane', ...args.slice(0, 2)].join(' ')).join(' and ');
    return [path, renderWindow(lines.slice(0, -1), `${label} in a terminal`)];
  };
  return Object.fromEntries(SESSIONS.map(draw));
}

const COLUMNS = 80;

const SESSIONS: readonly (readonly [string, readonly (readonly string[])[]])[] = [
  ['docs/terminal.svg', [['show'], ['search', 'fill in the tax form', '--limit', '2', '--explain']]],
  ['docs/images/terminal-start.svg', [[]]],
  ['docs/images/terminal-help.svg', [['help', 'install']]],
];

const SAMPLE: Tree = {
  '.agent/config.yaml': 'skills:\n  disabledSources: [bundled]\n',
  '.claude/skills/pdf/SKILL.md': skill(
    'pdf',
    'description: Fill, split and read PDF files. Use when: a PDF comes up.\nmetadata:\n  tags: tax form documents',
  ),
  '.agents/skills/release/SKILL.md': skill(
    'release',
    'description: Publishes a release with notes from pull requests.\nmetadata:\n  requires: gh',
  ),
  '.agents/skills/spreadsheets/SKILL.md': skill(
    'spreadsheets',
    'description: Reads and writes spreadsheets, and turns tables into forms.',
  ),
  'shop/.git/': '',
  'shop/.agent/skills/deploy/SKILL.md': skill('deploy', 'description: Deploys the shop to staging or production.'),
};

function skill(name: string, fields: string): string {
  return `---\nname: ${name}\n${fields}\n---\n\nBody.\n`;
}

function quote(word: string): string {
  return word.includes(' ') ? `"${word}"` : word;
}

function run(args: readonly string[], home: string): readonly string[] {
  const { stdout, stderr, status } = spawnSync(process.execPath, [resolve('bin/skillplane.mjs'), ...args], {
    cwd: join(home, 'shop'),
    encoding: 'utf8',
    env: { HOME: home, AGENT_HOME: join(home, '.agent'), PATH: home, COLUMNS: String(COLUMNS), FORCE_COLOR: '1' },
  });
  if (status !== 0) throw new Error(`skillplane ${args.join(' ')} failed: ${stderr}`);
  return [...stdout.replaceAll(home, '~').trimEnd().split('\n'), ''];
}

const LINE = 19;
const COLUMN = 8.4;
const MARGIN = 20;
const BAR = 40;

function renderWindow(lines: readonly string[], label: string): string {
  const width = Math.round(COLUMNS * COLUMN + 2 * MARGIN);
  const height = Math.round(BAR + lines.length * LINE + MARGIN);
  const texts = lines.map((line, at) => renderLine(line, BAR + (at + 0.8) * LINE)).filter((text) => text !== '');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(label)}">
<style>
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #d6deeb; white-space: pre }
.bold { font-weight: 700; fill: #fff }
.dim { fill: #8a93a6 }
.red { fill: #ff7b72 }
.green { fill: #7ee787 }
.yellow { fill: #f2cc60 }
.cyan { fill: #79c0ff }
</style>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="10" fill="#161b22" stroke="#30363d"/>
<circle cx="22" cy="20" r="6" fill="#ff5f57"/><circle cx="42" cy="20" r="6" fill="#febc2e"/><circle cx="62" cy="20" r="6" fill="#28c840"/>
${texts.join('\n')}
</svg>
`;
}

const CLASSES: Readonly<Record<string, string>> = {
  1: 'bold',
  2: 'dim',
  31: 'red',
  32: 'green',
  33: 'yellow',
  36: 'cyan',
};

/** A line of output; each style of the terminal is a class. */
function renderLine(line: string, y: number): string {
  // oxlint-disable-next-line no-control-regex
  const [start = '', ...rest] = line.split(/\u001B\[(\d+)m/);
  let pieces = escape(start);
  for (let at = 0; at < rest.length; at += 2) {
    const name = CLASSES[rest[at] ?? ''];
    const text = escape(rest[at + 1] ?? '');
    pieces += name === undefined || text === '' ? text : `<tspan class="${name}">${text}</tspan>`;
  }
  return pieces === '' ? '' : `<text x="${MARGIN}" y="${y.toFixed(1)}" xml:space="preserve">${pieces}</text>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
