import type { Diagnostic, DiagnosticCode } from '../../src/model/diagnostic.ts';
import type { SkillDefinition } from '../../src/model/skill.ts';
import { parseSkill } from '../../src/parse/parse-skill.ts';

/** A file with exactly this frontmatter, and a body. */
export function fenced(yaml: string, body = '# Title\n\nInstructions.\n'): string {
  return `---\n${yaml}\n---\n\n${body}`;
}

/** Parses text or bytes as the SKILL.md of a directory `demo`; fails the test if that gives no skill. */
export function parsed(content: string | Uint8Array): SkillDefinition {
  const outcome = parseSkill(content, { dir: '/skills/demo' });
  if (!outcome.ok) throw new Error(`no skill: ${outcome.message}`);
  return outcome.skill;
}

/** The only diagnostic with this code; fails the test if there is none, or more than one. */
export function flaw({ diagnostics }: Pick<SkillDefinition, 'diagnostics'>, code: DiagnosticCode): Diagnostic {
  const [found, ...others] = diagnostics.filter((diagnostic) => diagnostic.code === code);
  if (found === undefined || others.length > 0) {
    const all = diagnostics.map((diagnostic) => diagnostic.code).join(', ');
    throw new Error(`expected one ${code} among: ${all || 'no diagnostics'}`);
  }
  return found;
}

export function codes({ diagnostics }: Pick<SkillDefinition, 'diagnostics'>): readonly DiagnosticCode[] {
  return diagnostics.map(({ code }) => code);
}
