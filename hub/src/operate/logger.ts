/** Writes a line of JSON for each event. */
export interface Logger {
  info(event: string, fields?: Readonly<Record<string, unknown>>): void;
  error(error: unknown): void;
}

/** Secrets never reach the log: tokens, and passwords in addresses. */
export function openLogger(write: (line: string) => void, now: () => Date): Logger {
  const log = (level: string, fields: Readonly<Record<string, unknown>>): void =>
    write(`${maskSecrets(JSON.stringify({ at: now().toISOString(), level, ...fields }))}\n`);
  return {
    info: (event, fields = {}) => log('info', { event, ...fields }),
    error: (error) => log('error', { event: 'error', ...describe(error) }),
  };
}

export function maskSecrets(text: string): string {
  return text
    .replaceAll(/sphub_[\w-]+/g, 'sphub_…')
    .replaceAll(/(\/\/[^/@\s:"]*):[^\s"]*@/g, '$1:…@')
    .replaceAll(/Bearer [\w.~+/=-]+/gi, 'Bearer …');
}

function describe(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  return { message: error.message, ...code, stack: error.stack?.split('\n').slice(1, 6).join('\n') };
}
