import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';

/**
 * Prints why tests were skipped, with counts, and fails the run if one was skipped without a reason. The reason is the note of
 * `skip(condition, 'sentence')`, or it stands in a title as `(skipped: sentence)`.
 */
export default class SkipReporter implements Reporter {
  #isFiltered = false;

  onInit(vitest: Vitest): void {
    this.#isFiltered = vitest.config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.#isFiltered) return;
    const skipped = modules.flatMap((module) => [...module.children.allTests('skipped')]);
    const counts = new Map<string, number>();
    for (const test of skipped) {
      const reason = findReason(test) ?? `NO REASON GIVEN for ${test.module.relativeModuleId} > ${test.fullName}`;
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
    for (const [reason, count] of [...counts].sort(([, a], [, b]) => b - a))
      process.stdout.write(`${count} skipped: ${reason}\n`);
    if (skipped.some((test) => findReason(test) === undefined)) process.exitCode = 1;
  }
}

function findReason(test: TestCase): string | undefined {
  const result = test.result();
  const note = result.state === 'skipped' ? result.note : undefined;
  return note ?? /\(skipped: (.+?)\)(?: >|$)/.exec(test.fullName)?.[1];
}
