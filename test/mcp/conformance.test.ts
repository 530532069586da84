import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { ERAS, EXTENSION_SCENARIOS, NOT_APPLICABLE, suiteSkills } from '../conformance/mcp-scenarios.ts';
import { listScenarios, runScenario } from '../conformance/mcp-suite.ts';
import { startHttp } from '../support/mcp-process.ts';
import { makeTree } from '../support/tree.ts';

/** Only the scenarios of the Skills extension; the whole suite takes half a minute: `npm run conformance`. */
describe.each(ERAS)('the official MCP conformance suite, %s:', (era) => {
  test('the scenarios of the Skills extension pass', async () => {
    const skills = Object.entries(suiteSkills()).map(([path, text]) => [`.agents/skills/${path}`, text]);
    const home = makeTree(Object.fromEntries(skills) as Record<string, string>);
    const server = await startHttp(home);
    onTestFinished(async () => void (await server.stop()));
    const target = { url: server.url, outputDir: join(home, 'results') };
    const results = await Promise.all(EXTENSION_SCENARIOS.map((scenario) => runScenario(scenario, era, target)));
    expect(results.map(({ scenario, failures }) => [scenario, failures])).toEqual(
      EXTENSION_SCENARIOS.map((scenario) => [scenario, []]),
    );
    for (const { scenario, passed } of results) expect([scenario, passed > 4]).toEqual([scenario, true]);
  });
});

test('every scenario that we exclude exists in the official MCP conformance suite', async () => {
  const known = new Set((await Promise.all(ERAS.map(listScenarios))).flat());
  expect(Object.keys(NOT_APPLICABLE).filter((scenario) => !known.has(scenario))).toEqual([]);
});
