/** How bad a finding may be, the worst first. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;

export type AuditSeverity = (typeof SEVERITIES)[number];

/** Where a text stands: in code, in a code block of a document, in its sentences, or in the frontmatter. */
export type TextContext = 'code' | 'fence' | 'prose' | 'frontmatter';

/** One idea of what somebody should look at, and why. */
export interface Rule {
  readonly id: string;
  readonly name: string;
  readonly severity: AuditSeverity;
  /** A sentence for the person who decides. */
  readonly why: string;
}

/** A rule that is found by reading. Its pattern meets folded text: single blanks, nothing invisible. */
export interface TextRule extends Rule {
  /** Bounded everywhere, so that reading takes linear time and no match is longer than the overlap of parts. */
  readonly pattern: RegExp;
  /** The severity in documents, where it is shown rather than run. */
  readonly inDocuments?: AuditSeverity;
  /** The contexts it is looked for in; else everywhere. */
  readonly contexts?: readonly TextContext[];
  /** A closer look at a match. */
  readonly accepts?: (match: RegExpExecArray) => boolean;
  /** The match is a secret: it is not shown whole. */
  readonly isSecret?: boolean;
}

/** One pattern that matches where any of these does, in any case. */
export function anyOf(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'), 'gi');
}

/** Is a severity as bad as another, or worse? */
export function isAtLeast(severity: AuditSeverity, limit: AuditSeverity): boolean {
  return SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(limit);
}
