/** Runs `load` and suppresses Node's warning that `feature` is experimental; every other warning passes. */
export function withoutExperimentalWarning<T>(feature: string, load: () => T): T {
  // Called on `process` below, and put back.
  // oxlint-disable-next-line typescript/unbound-method
  const original = process.emitWarning;
  process.emitWarning = (...given: readonly unknown[]): void => {
    if (!isWarningAbout(feature, given)) Reflect.apply(original, process, given);
  };
  try {
    return load();
  } finally {
    process.emitWarning = original;
  }
}

function isWarningAbout(feature: string, [warning, type]: readonly unknown[]): boolean {
  return type === 'ExperimentalWarning' && typeof warning === 'string' && warning.startsWith(`${feature} is an `);
}
