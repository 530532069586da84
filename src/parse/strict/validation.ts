import type { DiagnosticCode } from '../../model/diagnostic.ts';
import type { FieldLines } from '../field-line.ts';

/** One problem of a skill; `field` is set if it concerns one field. */
export interface Finding {
  readonly code: DiagnosticCode;
  readonly field: string | undefined;
  /** The line of SKILL.md, where it is known. */
  readonly line?: number | undefined;
  readonly message: string;
}

export interface Validation {
  readonly path: string;
  readonly ok: boolean;
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
}

/** Collects findings in order. A finding without a line gets that of its field. */
export class Verdict {
  readonly #path: string;
  readonly #errors: Finding[] = [];
  readonly #warnings: Finding[] = [];
  #lineOf: FieldLines = () => undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Gives the lines of the fields, once they are read. */
  locate(lineOf: FieldLines): void {
    this.#lineOf = lineOf;
  }

  error(code: DiagnosticCode, message: string, field?: string): this {
    return this.add('error', { code, field, message });
  }

  warn(code: DiagnosticCode, message: string, field?: string): this {
    return this.add('warning', { code, field, message });
  }

  add(severity: 'error' | 'warning', { code, field, line, message }: Finding): this {
    const at = line ?? (field === undefined ? undefined : this.#lineOf(field));
    const finding = { code, field, ...(at !== undefined && { line: at }), message };
    (severity === 'error' ? this.#errors : this.#warnings).push(finding);
    return this;
  }

  close(): Validation {
    return { path: this.#path, ok: this.#errors.length === 0, errors: this.#errors, warnings: this.#warnings };
  }
}
