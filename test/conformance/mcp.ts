import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { startHttpProcess } from '../support/mcp-process.ts';
import { startTokenProxy } from '../support/token-proxy.ts';
import { ERAS, NOT_APPLICABLE, suiteSkills } from './mcp-scenarios.ts';
import { listScenarios, runScenario } from './mcp-suite.ts';

/** `npm run conformance`: the official suite against the built server, each scenario in each era that has it. */
const home = mkdtempSync(join(tmpdir(), 'skillplane-conformance-'));
for (const [path, content] of Object.entries(suiteSkills())) {
  // The user's own folder, whose toolsets are trusted.
  const file = join(home, '.agent', 'skills', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
const server = await startHttpProcess(home, ['--allow-scripts', '--allow-toolsets']);
// The suite cannot send a token.
using proxy = await startTokenProxy(server.url, server.headers);
const skipped = new Set<string>();
let failed = 0;
try {
  for (const era of ERAS) {
    for (const scenario of await listScenarios(era)) {
      if (scenario in NOT_APPLICABLE) {
        skipped.add(scenario);
        continue;
      }
      const { passed, failures } = await runScenario(scenario, era, {
        url: proxy.url,
        outputDir: join(home, 'results'),
      });
      failed += failures.length;
      console.log(`${failures.length === 0 ? '✓' : '✗'} ${era} ${scenario} (${passed} checks)`);
      for (const failure of failures) console.log(`    ${failure}`);
    }
  }
} finally {
  await server.stop();
  rmSync(home, { recursive: true, force: true });
}
console.log(`\nnot applicable:`);
for (const scenario of skipped) console.log(`- ${scenario}: ${NOT_APPLICABLE[scenario]}`);
console.log(failed === 0 ? '\nall that applies passes' : `\n${failed} checks failed`);
process.exitCode = failed === 0 ? 0 : 1;
