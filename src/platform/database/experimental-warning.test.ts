import { execFileSync } from 'node:child_process';

import { describe, expect, test } from 'vitest';

import { runModule, sourceUrl } from '../../../test/support/child.ts';

const REMARK = 'SQLite is an experimental feature and might change at any time';

/** Runs this code in a process of its own, with the function as `quietly`, and returns the warnings. */
function warningsOf(code: string): Promise<unknown> {
  return runModule(`
    import { withoutExperimentalWarning as quietly } from ${JSON.stringify(sourceUrl('platform/database/experimental-warning.ts'))};
    const warnings = [];
    process.on('warning', ({ message }) => warnings.push(message));
    const remark = ${JSON.stringify(REMARK)};
    ${code}
    await new Promise(setImmediate);
    console.log(JSON.stringify(warnings));`);
}

describe('the warning that SQLite is experimental', () => {
  test('is suppressed while SQLite is loaded', async () => {
    const code = `const value = quietly('SQLite', () => { process.emitWarning(remark, 'ExperimentalWarning'); return 5; });
      if (value !== 5) throw new Error('the value is lost');`;
    expect(await warningsOf(code)).toEqual([]);
  });

  test('is the only warning that is suppressed', async () => {
    const code = `quietly('SQLite', () => {
      process.emitWarning('Other is an experimental feature', 'ExperimentalWarning');
      process.emitWarning(remark, 'OtherWarning');
      process.emitWarning(new Error('an error'));
    });`;
    expect(await warningsOf(code)).toEqual(['Other is an experimental feature', REMARK, 'an error']);
  });

  test('is shown again afterwards, even if loading failed', async () => {
    const code = `const before = process.emitWarning;
      try { quietly('SQLite', () => { throw new Error('no such feature'); }); }
      catch (error) { process.emitWarning(error.message); }
      if (process.emitWarning !== before) throw new Error('it is patched');
      process.emitWarning(remark, 'ExperimentalWarning');`;
    expect(await warningsOf(code)).toEqual(['no such feature', REMARK]);
  });
});

test('opening a database prints nothing, and importing its code does not load SQLite', () => {
  const code = `
    import { openDatabase } from ${JSON.stringify(sourceUrl('platform/database/database.ts'))};
    const isLoaded = () => process.moduleLoadList.some((name) => name.endsWith(' sqlite'));
    const before = isLoaded();
    openDatabase(process.execPath);
    console.log(before, isLoaded());`;
  const args = ['-c', '"$0" --input-type=module --eval "$1" 2>&1', process.execPath, code];
  expect(execFileSync('sh', args, { encoding: 'utf8' })).toBe('false true\n');
});
