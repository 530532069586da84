import { indentOf, isBlank } from './simple-scalars.ts';

/** A literal (`|`) or folded (`>`) scalar; undefined for headers with digits or `+`, and for unusual indentation. */
export function readBlockScalar(header: string, lines: readonly string[]): string | undefined {
  const [, style, chomp] = /^([|>])(-?)(?: +#.*)?$/.exec(header) ?? [];
  let end = lines.length;
  while (end > 0 && isBlank(lines[end - 1] ?? '')) end -= 1;
  const indent = indentOf(lines[0] ?? '');
  const isUnusual = (line: string, at: number): boolean =>
    at < end ? !isBlank(line) && indentOf(line) < indent : line.length > indent;
  if (style === undefined || end === 0 || isBlank(lines[0] ?? '') || lines.some(isUnusual)) return undefined;
  const content = lines.slice(0, end).map((line) => line.slice(indent));
  const text = style === '|' ? content.join('\n') : fold(content);
  return chomp === '-' ? text : `${text}\n`;
}

/** Line breaks between lines of text become blanks. Those around lines indented further stay. */
function fold(lines: readonly string[]): string {
  let text = '';
  let separator = '';
  let isAfterIndented = false;
  for (const line of lines) {
    if (line.startsWith(' ')) {
      const isNext = !isAfterIndented && separator === '\n';
      text += `${separator === ' ' ? '\n' : isNext ? '\n\n' : separator}${line}`;
      separator = '\n';
      isAfterIndented = true;
    } else if (line === '') {
      if (separator === '\n') text += '\n';
      else separator = '\n';
    } else {
      text += separator + line;
      separator = ' ';
      isAfterIndented = false;
    }
  }
  return text;
}
