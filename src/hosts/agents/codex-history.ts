import { parseJson } from '../../model/json.ts';
import { HINT_MARK } from '../hint-mark.ts';
import type { LineHistory } from '../history/host-history.ts';
import { itemsAt, textAt, valueAt, type Json } from '../history/json-value.ts';
import type { Session, ShownList } from '../history/session.ts';

/** One file per session. A skill is used by `$name`, or when a command reads its SKILL.md or runs one of its scripts. */
export const codexHistory: LineHistory = {
  kind: 'lines',
  files: [
    ['sessions', '*', '*', '*', 'rollout-*.jsonl'],
    ['sessions', '*', '*', '*', 'rollout-*.jsonl.zst'],
    ['archived_sessions', 'rollout-*.jsonl'],
    ['archived_sessions', 'rollout-*.jsonl.zst'],
  ],
  marks: ['"text":"<skill>\\n<name>', '"text":"<skills_instructions>', HINT_MARK, 'SKILL.md', 'scripts'],
  requestMarks: ['"role":"user","content"'],
  hasHead: true,
  read(line, session) {
    const payload = valueAt(line, 'payload');
    if (valueAt(line, 'type') === 'session_meta')
      session.place({ session: textAt(payload, 'id'), cwd: textAt(payload, 'cwd') });
    if (valueAt(line, 'type') !== 'response_item') return;
    const at = session.time(textAt(line, 'timestamp'));
    const type = textAt(payload, 'type') ?? '';
    if (type === 'message') readMessage(payload, at, session);
    else if (type.endsWith('_call_output')) readOutput(payload, session);
    else if (type.endsWith('_call')) readCall(payload, at, session);
  },
};

/** Older versions gave the project's instructions as a message of the user. */
const INSTRUCTIONS = '# AGENTS.md';

function readMessage(message: Json, at: number, session: Session): void {
  const kinds = itemsAt(message, 'internal_chat_message_metadata_passthrough', 'content_item_kinds');
  for (const [index, item] of itemsAt(message, 'content').entries()) {
    const text = textAt(item, 'text') ?? '';
    const id = `${textAt(message, 'id') ?? `${session.name} ${at}`} ${index}`;
    const [, skill] = /^<skill>\n<name>([^<\n]*)<\/name>/.exec(text) ?? [];
    const isKind = (kind: string): boolean => kinds.length === 0 || kinds[index] === kind;
    if (valueAt(message, 'role') === 'user') {
      if (skill !== undefined && isKind('skills.selected_skill_instructions'))
        session.use({ id, skill, at, by: 'user' });
      if (skill === undefined && isKind('user.text') && !text.startsWith(INSTRUCTIONS)) session.ask(text);
    } else if (text.startsWith('<skills_instructions>')) session.showList({ id, at, ...parseCatalog(text) });
    else if (kinds[index] === 'hooks.additional_context') session.hint({ id, at, text });
  }
}

/** Every line of the list ends with the file of the skill, below one of the roots that come before. */
function parseCatalog(text: string): ShownList {
  const roots = new Map([...text.matchAll(/^- `(r\d+)` = `(.*)`$/gm)].map(([, alias, root = '']) => [alias, root]));
  const lines = text.split('\n').flatMap((line) => readEntry(line) ?? []);
  const odd = lines.flatMap(({ name, alias, path }) => {
    const file = toSkillFile(`${roots.get(alias) ?? ''}${path}`, 'SKILL.md');
    return file === undefined || (file.isBelowSkills && file.folder === name) ? [] : [[file.folder, name] as const];
  });
  return { names: lines.map(({ name }) => name), folders: Object.fromEntries(odd) };
}

interface CatalogEntry {
  readonly name: string;
  readonly alias: string;
  readonly path: string;
}

/** `- name: description (file: r0/pdf/SKILL.md)`. The description is a skill's own text: one pattern for all could take hours. */
function readEntry(line: string): CatalogEntry | undefined {
  const at = line.lastIndexOf(FILE);
  if (!line.startsWith('- ') || !line.endsWith(')') || at === -1) return undefined;
  const [name = ''] = line.slice(2, at).split(':', 1);
  const [, alias, path] = /^(\w+)([\\/].*)$/.exec(line.slice(at + FILE.length, -1)) ?? [];
  return name === '' || alias === undefined || path === undefined ? undefined : { name, alias, path };
}

const FILE = ' (file: ';

function readCall(call: Json, at: number, session: Session): void {
  const id = textAt(call, 'call_id');
  if (id === undefined) return;
  const skills = findCommands(call)
    .flatMap(findImplicitUses)
    .flatMap(({ folder, isBelowSkills }) => session.nameOf(folder) ?? (isBelowSkills ? folder : []));
  for (const skill of new Set(skills)) session.await({ id, skill, at });
}

/** Longer texts are cut: what uses a skill comes early, and the patterns below need a stack for each character. */
const MAX_COMMAND_LENGTH = 65_536;

/** The functions whose argument is a shell text. */
const SHELL_TOOLS: ReadonlySet<string> = new Set(['exec_command', 'shell_command', 'shell']);

/** The shell text of a call, in each of the forms that Codex has had. */
function findCommands(call: Json): readonly string[] {
  const script = textAt(call, 'input')?.slice(0, MAX_COMMAND_LENGTH);
  if (script !== undefined) return valueAt(call, 'name') === 'exec' ? findInScript(script) : [];
  if (!SHELL_TOOLS.has(textAt(call, 'name') ?? '')) return [];
  const given = parseJson(textAt(call, 'arguments') ?? '');
  const words = itemsAt(given, 'command').filter((word) => typeof word === 'string');
  const text = textAt(given, 'cmd') ?? textAt(given, 'command');
  return [(text ?? words.map(quote).join(' ')).slice(0, MAX_COMMAND_LENGTH)];
}

function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** The commands in a script that calls `tools.exec_command({ cmd: "…" })`. */
function findInScript(script: string): readonly string[] {
  const calls = script.matchAll(
    /\bcmd["']?\s*:\s*(?:"((?:[^"\\]|\\[^])*)"|'((?:[^'\\]|\\[^])*)'|`((?:[^`\\]|\\[^])*)`)/g,
  );
  return [...calls].map(([, double, single, template]) => {
    const text = double ?? single ?? template ?? '';
    return text.replaceAll(/\\([^])/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));
  });
}

const DENIED = /^\W*(?:exec command rejected|rejected|aborted by user)/i;

function readOutput(output: Json, session: Session): void {
  const id = textAt(output, 'call_id');
  const text = textAt(output, 'output') ?? JSON.stringify(valueAt(output, 'output') ?? '');
  if (id !== undefined) session.settle(id, !DENIED.test(text));
}

/** A file of a skill that a command reads or runs. */
interface SkillFile {
  /** The name of the skill's folder. */
  readonly folder: string;
  /** Is the path inside a folder called `skills`? */
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
function toSkillFile(path: string, part: 'SKILL.md' | 'scripts'): SkillFile | undefined {
  const parts = path.replaceAll('\\', '/').split('/');
  const at = part === 'SKILL.md' && parts.at(-1) !== part ? -1 : parts.lastIndexOf(part);
  const folder = parts[at - 1];
  if (at < 1 || folder === undefined || folder === '' || folder === '.' || folder === '..') return undefined;
  return { folder, isBelowSkills: parts.slice(0, at - 1).includes('skills') };
}

const DEEPEST = 3;
const SHELLS = new Set(['bash', 'sh', 'zsh']);

/** The simple commands of a shell script, each as its words; text after `bash -c` and the like is split as well. */
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
