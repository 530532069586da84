import { isNode, isScalar, LineCounter, parseDocument, visit, type Document } from 'yaml';

/** A YAML text as plain data, or why it is none and where. */
export type YamlReading =
  | {
      readonly ok: true;
      readonly value: unknown;
      readonly lineOf: (path: readonly PropertyKey[]) => number;
    }
  | YamlFault;

export interface YamlFault {
  readonly ok: false;
  readonly line: number;
  readonly message: string;
}

/** Reads one of our own YAML files; whatever somebody wrote into it, nothing is thrown. */
export function readYaml(text: string, maxBytes: number): YamlReading {
  if (Buffer.byteLength(text) > maxBytes) return { ok: false, line: 1, message: `is larger than ${maxBytes} bytes` };
  const lines = new LineCounter();
  const read = catchFaults(() => readDocument(text, lines));
  if (typeof read === 'string') return { ok: false, line: 1, message: read };
  const { document, value, fault } = read;
  if (fault !== undefined) return { ok: false, line: lineAt(lines, fault.offset), message: fault.message };
  return { ok: true, value, lineOf: (path) => lineOf(document, path, lines) };
}

const TOO_DEEP = 'is nested too deeply';

interface ReadDocument {
  readonly document: Document;
  readonly value?: unknown;
  readonly fault?: Fault | undefined;
}

interface Fault {
  readonly offset: number;
  readonly message: string;
}

function readDocument(text: string, lineCounter: LineCounter): ReadDocument {
  // The parser's own look for equal keys takes time by the square of their number.
  const document = parseDocument(text, { lineCounter, uniqueKeys: false, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) {
    // The parser reports its own overflow as a fault of the text.
    const message = error.message.includes('call stack') ? TOO_DEEP : error.message;
    return { document, fault: { offset: error.pos[0], message } };
  }
  const fault = findBadKey(document);
  return fault === undefined ? { document, value: document.toJS() } : { document, fault };
}

/** What was read, or why nothing was: extreme nesting, aliases to nothing and alias bombs are thrown by the parser. */
function catchFaults<T>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    if (error instanceof ReferenceError) return error.message;
    if (error instanceof RangeError) return TOO_DEEP;
    throw error;
  }
}

/** A key that stands twice in its mapping, or one that is no property of a plain object. */
function findBadKey(document: Document): Fault | undefined {
  let fault: Fault | undefined;
  visit(document, {
    Map(_key, { items }) {
      const seen = new Set<string>();
      for (const { key } of items) {
        const name = String(isScalar(key) ? key.value : key);
        const offset = (isNode(key) ? key.range?.[0] : undefined) ?? 0;
        if (name === '__proto__') fault = { offset, message: 'the key __proto__ is not used' };
        if (seen.has(name)) fault = { offset, message: `${name} is there twice` };
        if (fault !== undefined) return visit.BREAK;
        seen.add(name);
      }
      return undefined;
    },
  });
  return fault;
}

/** The line of an entry, or of the closest thing around it that has one. */
function lineOf(document: Document, path: readonly PropertyKey[], lines: LineCounter): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    const range = node !== null && typeof node === 'object' && 'range' in node ? node.range : undefined;
    if (Array.isArray(range) && typeof range[0] === 'number') return lineAt(lines, range[0]);
  }
  return 1;
}

function lineAt(lines: LineCounter, offset: number): number {
  return Math.max(1, lines.linePos(offset).line);
}
