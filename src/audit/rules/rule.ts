/** The severities of findings, the worst first. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;

export type AuditSeverity = (typeof SEVERITIES)[number];

/** Where a match is: in code, in a code block of a document, in its prose, or in its frontmatter. */
export type TextContext = 'code' | 'fence' | 'prose' | 'frontmatter';

/** One kind of finding. */
export interface Rule {
  readonly id: string;
  readonly name: string;
  readonly severity: AuditSeverity;
  /** Why it matters, for the person who decides. */
  readonly why: string;
  /** It finds secrets, which are never shown in full. */
  readonly isSecret?: boolean;
}

/** A rule that matches text. Its pattern is applied to folded text: single blanks, nothing invisible. */
export interface TextRule extends Rule {
  /** Every repetition is bounded: matching takes linear time, and no match is longer than the overlap of two pieces. */
  readonly pattern: RegExp;
  /** The severity in documents, where the text is shown and not run. */
  readonly inDocuments?: AuditSeverity;
  /** The contexts in which it applies; by default, all. */
  readonly contexts?: readonly TextContext[];
  /** Decides whether a match counts. */
  readonly accepts?: (match: RegExpExecArray) => boolean;
}

/** Combines patterns into one that ignores case. */
export function anyOf(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'), 'gi');
}

/** Whether a severity is as bad as the limit, or worse. */
export function isAtLeast(severity: AuditSeverity, limit: AuditSeverity): boolean {
  return SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(limit);
}
