import type { DiagnosticCode } from '../../model/diagnostic.ts';
import { MAX_FRONTMATTER_BYTES } from '../../model/limits.ts';
import { normalizeText, splitFrontmatter } from '../frontmatter.ts';
import { readFrontmatter, type FrontmatterReading } from '../read-frontmatter.ts';
import type { Verdict } from './validation.ts';

/** Blank lines or a byte-order mark before the frontmatter hide it from the reference tool and from many agents. */
export function reportLateStart(text: string, spec: boolean, verdict: Verdict): void {
  if (splitFrontmatter(normalizeText(text)).kind === 'none') return;
  const message = 'SKILL.md must start with --- at its very first character';
  if (spec) verdict.error('FRONTMATTER_MISSING', message);
  else verdict.warn('FRONTMATTER_MISSING', message);
}

/**
 * Reads the frontmatter strictly. What loading would recover is an error here, with the way to fix it; the fields are
 * then checked as loading reads them.
 */
export function readStrictFrontmatter(text: string, verdict: Verdict): FrontmatterReading | undefined {
  const reading = readFrontmatter(text);
  if (reading.split.kind === 'none') {
    verdict.error('FRONTMATTER_MISSING', 'SKILL.md must start with frontmatter between two lines of ---');
    return undefined;
  }
  if (reading.split.kind === 'unclosed') {
    verdict.error('FRONTMATTER_NOT_CLOSED', 'the frontmatter is not properly closed with a line of ---');
    return undefined;
  }
  for (const fault of reading.faults) reportFault(fault, reading, verdict);
  return reading;
}

function reportFault(
  fault: FrontmatterReading['faults'][number],
  { fixes }: FrontmatterReading,
  verdict: Verdict,
): void {
  const { line, key } = fault;
  const report = (code: DiagnosticCode, message: string, field?: string): void =>
    void verdict.add('error', { code, field, line, message });
  switch (fault.kind) {
    case 'not-mapping':
      report('FRONTMATTER_NOT_MAPPING', `the frontmatter must be a mapping of fields to values (line ${line})`);
      break;
    case 'too-large':
      report('FRONTMATTER_TOO_LARGE', `the frontmatter exceeds ${MAX_FRONTMATTER_BYTES} bytes`);
      break;
    case 'duplicate-key':
      report('DUPLICATE_KEY', `invalid YAML in line ${line}: ${fault.message}`, key);
      break;
    case 'refused-key':
      report('KEY_REFUSED', `unexpected fields: ${fault.message} (line ${line})`, key);
      break;
    case 'alias':
      report('ALIAS_REFUSED', `invalid YAML in line ${line}: ${fault.message}${describeFixes(fixes)}`);
      break;
    case 'syntax':
    case 'too-deep':
    case 'too-costly':
      report('YAML_INVALID', `invalid YAML in line ${line}: ${fault.message}${describeFixes(fixes)}`, fixes[0]?.field);
      break;
  }
}

function describeFixes(fixes: FrontmatterReading['fixes']): string {
  if (fixes.length === 0) return '';
  return `; write ${fixes.map((fix) => `line ${fix.line} as ${fix.rewritten}`).join(', and ')}`;
}
