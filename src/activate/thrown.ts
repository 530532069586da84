const MAX_LENGTH = 1_000;

/** One line about whatever was thrown; foreign code throws more than errors. */
export function explainThrown(thrown: unknown): string {
  const line = textOf(thrown).replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line;
}

function textOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return `${String(thrown)} was thrown`;
  const { message, name } = thrown as { readonly message?: unknown; readonly name?: unknown };
  if (typeof message === 'string' && message !== '') return message;
  return typeof name === 'string' && name !== '' ? name : 'something that is no error was thrown';
}
