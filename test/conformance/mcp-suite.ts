import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { EXTENSION_SCENARIOS, UNTESTABLE, type Era } from './mcp-scenarios.ts';

/** The result of one scenario of the official suite. */
export interface ScenarioResult {
  readonly scenario: string;
  readonly era: Era;
  readonly passed: number;
  readonly failures: readonly string[];
}

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

const SUITE = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js');

/** The server scenarios of an era, as the suite itself lists them, and those of the extension. */
export async function listScenarios(era: Era): Promise<readonly string[]> {
  const { output } = await runSuite(['list', '--server', '--spec-version', era]);
  const listed = [...output.matchAll(/^ {2}- (\S+)/gm)].map((match) => match[1] ?? '');
  return [...listed, ...EXTENSION_SCENARIOS];
}

export async function runScenario(scenario: string, era: Era, target: SuiteTarget): Promise<ScenarioResult> {
  const outputDir = join(target.outputDir, `${era}-${scenario}`);
  const options = ['--scenario', scenario, '--spec-version', era, '--force', '--output-dir', outputDir];
  const { output } = await runSuite(['server', '--url', target.url, ...options]);
  const checks = readChecks(outputDir);
  if (checks === undefined) return { scenario, era, passed: 0, failures: [`no result: ${output.slice(-500)}`] };
  const isExcused = ({ id, errorMessage = '' }: Check): boolean =>
    id in UNTESTABLE && errorMessage.startsWith('Not testable');
  const failed = checks.filter((check) => check.status === 'FAILURE' && !isExcused(check));
  return {
    scenario,
    era,
    passed: checks.filter(({ status }) => status === 'SUCCESS').length,
    failures: failed.map(({ id, errorMessage }) => `${id}: ${errorMessage ?? 'failed'}`),
  };
}

export interface SuiteTarget {
  readonly url: string;
  readonly outputDir: string;
}

function readChecks(outputDir: string): readonly Check[] | undefined {
  try {
    const [run] = readdirSync(outputDir);
    return run === undefined
      ? undefined
      : (JSON.parse(readFileSync(join(outputDir, run, 'checks.json'), 'utf8')) as Check[]);
  } catch {
    return undefined;
  }
}

async function runSuite(args: readonly string[]): Promise<{ readonly output: string }> {
  const child = spawn(process.execPath, [SUITE, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, complaints] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { output: `${output}${complaints}` };
}
