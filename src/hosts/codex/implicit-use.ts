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
    const script = RUNNERS.has(name) ? words.find((word) => !word.startsWith('-')) : undefined;
    return script === undefined || !SCRIPT.test(script) ? [] : (toSkillFile(script, 'scripts') ?? []);
  });
}

const READERS = new Set('cat bat batcat less more head tail nl sed awk type Get-Content gc'.split(' '));
const RUNNERS = new Set('python python3 bash zsh sh node deno ruby perl pwsh'.split(' '));
const SCRIPT = /\.(?:py|sh|js|ts|rb|pl|ps1)$/;

/** The skill of a path `<skill>/SKILL.md`, or `<skill>/scripts/…`. */
export function toSkillFile(path: string, part: 'SKILL.md' | 'scripts'): SkillFile | undefined {
  const parts = path.replaceAll('\\', '/').split('/');
  const at = part === 'SKILL.md' && parts.at(-1) !== part ? -1 : parts.lastIndexOf(part);
  const folder = parts[at - 1];
  if (at < 1 || folder === undefined || folder === '' || folder === '.' || folder === '..') return undefined;
  return { folder, isBelowSkills: parts.slice(0, at - 1).includes('skills') };
}

const DEEPEST = 3;
const SHELLS = new Set(['bash', 'sh', 'zsh']);

/** The simple commands of a shell text, each as its words; the text after `bash -c` and its like is split, too. */
function splitCommands(text: string, depth = 0): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  for (const [token] of text.matchAll(TOKEN)) {
    if (/^[;|&\n]/.test(token)) commands.push([]);
    else commands.at(-1)?.push(unquote(token));
  }
  return commands.flatMap((words) => {
    const [program = '', flag = '', inner] = words;
    const isShell = depth < DEEPEST && SHELLS.has(baseName(program)) && /^-\w*c$/.test(flag);
    return isShell && inner !== undefined ? splitCommands(inner, depth + 1) : [words];
  });
}

/** A word, the end of a command, or a quotation mark without its partner. */
const TOKEN = /(?:'[^']*'|"(?:[^"\\]|\\[^])*"|\\[^]|[^\s'"\\;|&]+)+|[;|&\n]|['"\\]/g;
const QUOTED = /'[^']*'|"(?:[^"\\]|\\[^])*"|\\[^]/g;

function unquote(word: string): string {
  return word.replaceAll(QUOTED, (quoted) => {
    if (quoted.startsWith('\\')) return quoted.slice(1);
    const inner = quoted.slice(1, -1);
    return quoted.startsWith("'") ? inner : inner.replaceAll(/\\(["\\$`])/g, '$1');
  });
}

/** The last part of a path of any system. */
function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
