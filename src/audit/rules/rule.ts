/** How bad it is if an agent or a user follows what was found; the worst first. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;

export type AuditSeverity = (typeof SEVERITIES)[number];

/**
 * How surely the text means what was found. `possible`: it is negated, quoted, printed or only listed. Only findings that are at least
 * likely refuse a skill.
 */
export const CERTAINTIES = ['certain', 'likely', 'possible'] as const;

export type AuditCertainty = (typeof CERTAINTIES)[number];

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
  /** Every match contains one of these words, in lower case. `exfil*` is the beginning of a word, `/dev/` any text. */
  readonly needs: readonly string[];
  /** Every repetition is bounded, so that matching takes linear time. */
  readonly pattern: RegExp;
  /** Patterns that match together if they occur in this order in one script or code block, at any distance. */
  readonly inOrder?: readonly (readonly RegExp[])[];
  /** The severity in prose, where the text is only mentioned. Code blocks are as bad as scripts: a model runs them. */
  readonly inProse?: AuditSeverity;
  /** The contexts in which it applies; by default, all. */
  readonly contexts?: readonly TextContext[];
  /** Decides whether a match counts. */
  readonly accepts?: (match: RegExpExecArray) => boolean;
  /** The severity of a match, if it is not that of the rule. */
  readonly rate?: (match: RegExpExecArray) => AuditSeverity | undefined;
  /** `certain` if negation and quotation make no difference; `likely` by default. */
  readonly certainty?: AuditCertainty;
}

/** Combines patterns into one that ignores case. */
export function anyOf(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'), 'gi');
}

/** Whether a severity is as bad as the limit, or worse. */
export function isAtLeast(severity: AuditSeverity, limit: AuditSeverity): boolean {
  return SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(limit);
}
