import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';

import { measureAudit } from './audit.ts';
import { measureCalibration, measureChoosing } from './choosing.ts';
import { measureConsole } from './console.ts';
import { measureCorpus } from './corpus.ts';
import { measureDisclosure } from './disclosure.ts';
import { measureDiscovery } from './discovery.ts';
import { measureFixing } from './fixing.ts';
import { measureFloor } from './floor.ts';
import { measureFrameworkPeers } from './framework-peers.ts';
import { measureGivingPeers } from './giving-peers.ts';
import { measureHints, measureHook } from './hints.ts';
import { measureHistory } from './history.ts';
import { measureHosts } from './hosts.ts';
import { measureHub } from './hub.ts';
import { measureIndexing } from './indexing.ts';
import { measureInstall } from './install.ts';
import { measureLearning } from './learning.ts';
import { measureMcpMemory, measureMcpRequests, measureMcpStart } from './mcp.ts';
import { measureModelTexts } from './model-texts.ts';
import { measureOrigins } from './origins.ts';
import { measureGrowth, measureNegatives, measureRetrieval, measureViews } from './retrieval.ts';
import { measureScriptPeers } from './script-peers.ts';
import { measureScripts } from './scripts.ts';
import { measureShow, measureStart, measureWarmStart } from './start.ts';
import { renderSection, type Section } from './table.ts';
import { measureToolsets } from './toolsets.ts';

/**
 * `npm run bench` measures everything and keeps the result; `npm run bench -- corpus show` only prints those parts, and with
 * `--write` they replace the last results of the same parts.
 * `npm run bench -- retrieval` alone measures all about search: peers, negatives, sources and held-out figures, confidence, growth.
 * `npm run bench -- retrieval --corpus <file> --eval <file> --json` takes other files of the same form, for the first table.
 */
const PARTS: Readonly<Record<string, (args: readonly string[]) => Promise<Section | string> | Section | string>> = {
  audit: measureAudit,
  corpus: measureCorpus,
  fixing: measureFixing,
  start: measureStart,
  discovery: measureDiscovery,
  warm: measureWarmStart,
  show: measureShow,
  retrieval: measureRetrieval,
  negatives: measureNegatives,
  choosing: measureChoosing,
  calibration: measureCalibration,
  floor: measureFloor,
  learning: measureLearning,
  hints: measureHints,
  hook: measureHook,
  hosts: measureHosts,
  history: measureHistory,
  indexing: measureIndexing,
  growth: measureGrowth,
  views: measureViews,
  disclosure: measureDisclosure,
  'model-texts': measureModelTexts,
  scripts: measureScripts,
  'script-peers': measureScriptPeers,
  'framework-peers': measureFrameworkPeers,
  toolsets: measureToolsets,
  'giving-peers': measureGivingPeers,
  install: measureInstall,
  origins: measureOrigins,
  console: measureConsole,
  mcp: async () => {
    const sections = [await measureMcpStart(), await measureMcpRequests(), await measureMcpMemory()];
    return sections.map(renderSection).join('\n').trimEnd();
  },
  hub: measureHub,
};

/** The parts that `retrieval` brings along if it is named alone. */
const SEARCH_PARTS = ['negatives', 'choosing', 'calibration', 'floor', 'growth'];

const firstOption = process.argv.findIndex((word) => word.startsWith('--'));
const wanted = process.argv.slice(2, firstOption === -1 ? undefined : firstOption);
const options = firstOption === -1 ? [] : process.argv.slice(firstOption);
if (wanted.join() === 'retrieval' && !['--corpus', '--eval', '--json'].some((name) => options.includes(name)))
  wanted.push(...SEARCH_PARTS);
const unknown = wanted.filter((name) => !(name in PARTS));
if (unknown.length > 0)
  console.error(`no such part: ${unknown.join(', ')}; there are ${Object.keys(PARTS).join(', ')}`);

const texts: string[] = [];
for (const [name, measure] of Object.entries(PARTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const section = await measure(options);
  const text = typeof section === 'string' ? `${section}\n` : renderSection(section);
  texts.push(text);
  console.log(text);
}

if (wanted.length === 0) {
  const machine = `${cpus().length} cores, Node ${process.versions.node}, ${process.platform} ${process.arch}`;
  writeFileSync(
    'bench/RESULTS.md',
    `# Last results\n\n${machine}. Machines are noisy: read the ratios, not the times.\n\n${texts.join('\n')}`,
  );
}
if (wanted.length > 0 && options.includes('--write')) {
  const last = readFileSync('bench/RESULTS.md', 'utf8');
  writeFileSync('bench/RESULTS.md', texts.flatMap((text) => text.split(/^(?=## )/m)).reduce(replaceSection, last));
}

/** Puts a section in the place of the one with its heading, or at the end. */
function replaceSection(results: string, section: string): string {
  const [heading = ''] = section.split('\n');
  const sections = results.split(/^(?=## )/m);
  const at = sections.findIndex((one) => one.startsWith(`${heading}\n`));
  const own = `${section.trimEnd()}\n`;
  if (at === -1) return `${results.trimEnd()}\n\n${own}`;
  return sections.with(at, at === sections.length - 1 ? own : `${own}\n`).join('');
}

// A peer may leave threads running.
process.exit();
