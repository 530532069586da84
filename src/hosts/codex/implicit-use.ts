import { baseName, splitCommands } from './shell-commands.ts';

/** A file of a skill that a command reads or runs. */
export interface SkillFile {
  /** The name of the skill's folder. */
  readonly folder: string;
  /** Does the path lie in a folder called `skills`? */
  readonly isBelowSkills: boolean;
}

/**
 * The skills that a command uses by Codex's own rule: it reads a SKILL.md, or runs a script in the folder `scripts` of a
 * skill by an interpreter.
 */
export function findImplicitUses(command: string): readonly SkillFile[] {
  return splitCommands(command).flatMap(([program = '', ...words]) => {
    const name = baseName(program).replace(/\.exe$/i, '');
    if (READERS.has(name)) return words.flatMap((word) => toSkillFile(word, 'SKILL.md') ?? []);
    if (!RUNNERS.has(name)) return [];
    const script = words.find((word) => !word.startsWith('-'));
    return script === undefined || !SCRIPT.test(script) ? [] : (toSkillFile(script, 'scripts') ?? []);
  });
}

const READERS = new Set([
  'cat',
  'bat',
  'batcat',
  'less',
  'more',
  'head',
  'tail',
  'nl',
  'sed',
  'awk',
  'type',
  'Get-Content',
  'gc',
]);
const RUNNERS = new Set(['python', 'python3', 'bash', 'zsh', 'sh', 'node', 'deno', 'ruby', 'perl', 'pwsh']);
const SCRIPT = /\.(?:py|sh|js|ts|rb|pl|ps1)$/;

/** The skill of a path `<skill>/SKILL.md`, or `<skill>/scripts/…`. */
export function toSkillFile(path: string, part: 'SKILL.md' | 'scripts'): SkillFile | undefined {
  const parts = path.replaceAll('\\', '/').split('/');
  const at = part === 'SKILL.md' && parts.at(-1) !== part ? -1 : parts.lastIndexOf(part);
  const folder = parts[at - 1];
  if (at < 1 || folder === undefined || folder === '' || folder === '.' || folder === '..') return undefined;
  return { folder, isBelowSkills: parts.slice(0, at - 1).includes('skills') };
}
