/**
 * Runs `load` without Node's remark that `feature` is experimental; every other warning passes. The remark is made
 * while loading, so the process is as it was when this returns.
 */
export function withoutExperimentalWarning<T>(feature: string, load: () => T): T {
  // It is called as the process's own below, and put back.
  // oxlint-disable-next-line typescript/unbound-method
  const original = process.emitWarning;
  process.emitWarning = (...given: readonly unknown[]): void => {
    if (!isRemarkOn(feature, given)) Reflect.apply(original, process, given);
  };
  try {
    return load();
  } finally {
    process.emitWarning = original;
  }
}

function isRemarkOn(feature: string, [warning, type]: readonly unknown[]): boolean {
  return type === 'ExperimentalWarning' && typeof warning === 'string' && warning.startsWith(`${feature} is an `);
}
