export type Severity = 'error' | 'warning' | 'info';

/** Stable codes of flaws in a skill, a source, a configuration or the history of use. */
export type DiagnosticCode =
  // one SKILL.md
  | 'ALIAS_REFUSED'
  | 'DESCRIPTION_MISSING'
  | 'DESCRIPTION_TOO_LONG'
  | 'COMPATIBILITY_TOO_LONG'
  | 'DUPLICATE_KEY'
  | 'FRONTMATTER_MISSING'
  | 'FRONTMATTER_NOT_CLOSED'
  | 'FRONTMATTER_NOT_MAPPING'
  | 'FRONTMATTER_TOO_LARGE'
  | 'INSTRUCTIONS_TOO_LONG'
  | 'INVALID_ENCODING'
  | 'INVALID_NAME'
  | 'INVISIBLE_CHARACTER'
  | 'KEY_REFUSED'
  | 'NAME_LOOKALIKE'
  | 'NAME_MISMATCH'
  | 'NAME_MISSING'
  | 'PARSE_FAILED'
  | 'PATTERN_REFUSED'
  | 'SCRIPT_INVALID'
  | 'TEMPLATE_TEXT'
  | 'TOOLSET_INVALID'
  | 'UNKNOWN_FIELD'
  | 'VERSION_INVALID'
  | 'WRONG_TYPE'
  | 'YAML_INVALID'
  | 'YAML_RECOVERED'
  // its place on disk
  | 'FILE_NAME_CASE'
  | 'FILE_REFUSED'
  | 'FILE_UNREADABLE'
  | 'LINK_REFUSED'
  | 'MISPLACED_SKILL'
  | 'PATH_NOT_DIRECTORY'
  | 'PATH_NOT_FOUND'
  | 'SCAN_LIMIT'
  | 'SKILL_FILE_MISSING'
  | 'SOURCE_UNREADABLE'
  // the catalog and the configuration
  | 'SHADOWED'
  | 'CONFIG_INVALID'
  | 'CONFIG_IGNORED'
  // the history of use
  | 'USAGE_LOST'
  | 'USAGE_SET_ASIDE'
  | 'USAGE_UNAVAILABLE';

/** One flaw, described so that a person can act on it. A flaw never hides another and never throws. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  readonly path: string;
  readonly message: string;
  /** 1-based. */
  readonly line?: number;
  /** The frontmatter or configuration field. */
  readonly field?: string;
}
