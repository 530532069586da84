/**
 * How often a property is tried, and how many cases it must meet: in full with FULL_PROPERTIES=1, as CI does; in the edit loop a tenth of
 * that, or `few`.
 */
export function propertyRuns(full: number, few: number = Math.ceil(full / 10)): number {
  return process.env['FULL_PROPERTIES'] === '1' ? full : few;
}
