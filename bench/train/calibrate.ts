/**
 * Learns src/select/ranking/learned-confidence.ts: how likely a result is right, given its evidence. Run it after train.ts, whose
 * weights it uses.
 *
 *     npx node bench/train/calibrate.ts
 */
import { existsSync, writeFileSync } from 'node:fs';

import { REQUESTS, VENDOR } from '../real-skills.ts';
import { collectSamples, fitConfidence } from './calibration.ts';

const FILE = 'src/select/ranking/learned-confidence.ts';

/** In the order of `measureEvidence`. */
const EVIDENCE = [
  'always',
  'sum of the parts',
  'lead over the best other result',
  'share of the request covered',
  'share of the name said',
  'length of the request',
  'number of skills',
];

if (![VENDOR, REQUESTS].every((path) => existsSync(path)))
  process.stdout.write('There are no requests to learn from.\n');
else {
  const samples = collectSamples();
  const weights = fitConfidence(samples);
  const rows = EVIDENCE.map(
    (name, at) => `  { evidence: '${name}', weight: ${Number((weights[at] ?? 0).toFixed(3))} },`,
  );
  writeFileSync(
    FILE,
    `/** Learned by bench/train/calibrate.ts from real requests; do not edit. How likely a result is right, as log odds. */
export const CONFIDENCE_WEIGHTS: readonly { readonly evidence: string; readonly weight: number }[] = [
${rows.join('\n')}
];
`,
  );
  process.stdout.write(`${samples.length} results; npm run bench -- calibration shows how good it is.\n`);
}
