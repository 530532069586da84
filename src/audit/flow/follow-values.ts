import {
  CHANNEL_SENDS,
  RUNS_COMMAND,
  RUNS_FILE,
  RUNS_TEXT,
  SAVES,
  SAVES_BY_NAME,
  SENDS,
  withoutLogin,
  withoutUnsent,
  WRITES,
} from './sinks.ts';
import { splitStatements, type FlowLanguage, type CodeStatement } from './statements.ts';
import { findSecretNames, hostsOfSecret, SOURCES, type ValueKind } from './value-kinds.ts';

/** A value that arrives where it should not: where it comes from and where it goes, as offsets into the text. */
export interface FoundFlow {
  readonly kind: Exclude<ValueKind, 'channel'> | 'download';
  readonly from: FlowEnd;
  /** The statement at which the value arrives, and where in it the call is. */
  readonly to: FlowEnd & { readonly sink: number };
  /** Addresses in the statements at both ends. */
  readonly addresses: readonly string[];
}

export interface FlowEnd {
  readonly start: number;
  readonly text: string;
}

interface Value {
  readonly kind: ValueKind | 'download' | 'address';
  readonly from: FlowEnd;
  /** For an address: itself. For a secret: the name of its variable. For a download: its address. */
  readonly about: string;
}

/** The rest of the statements that are followed in one skill; less than 0 if there were more. */
export interface StatementBudget {
  statements: number;
}

/** More than any skill has but one that is padded, or that has whole libraries in it. */
export const MAX_STATEMENTS = 100_000;
const MAX_VALUES = 8;
const MAX_FLOWS = 40;

/**
 * Follows secrets and downloads through the names of a script, statement by statement: into variables, fields, files and functions, and to
 * calls that send or run them. It knows no scopes and no branches, and reads a text twice, so that the order of functions does not matter.
 */
export function followValues(text: string, language: FlowLanguage, budget: StatementBudget): readonly FoundFlow[] {
  if (!WORTH_READING.test(text)) return [];
  const all = splitStatements(text, language);
  const statements = all.slice(0, Math.max(0, budget.statements));
  budget.statements -= all.length;
  const functions: Known = { values: new Map(), parameters: new Map() };
  walk(statements, functions, language);
  return walk(statements, functions, language);
}

/** Anything that sends, downloads or starts by itself; without it, nothing can arrive. */
const WORTH_READING =
  /\b(?:curl|wget|fetch|requests|httpx|urllib|urlopen|urlretrieve|axios|https?|socket|smtplib|nc|ncat|netcat|scp|sftp|rsync|dig|nslookup|got|dns|net|sendmail|mail|ftplib|telnet|irm|iwr|Invoke-\w+|aiohttp|WebSocket|s_client|XMLHttpRequest|dev|bashrc|bash_profile|zshrc|zprofile|zshenv|profile|hooks|LaunchAgents|systemd|autostart|claude|codex|cursor|cursorrules|openclaw|gemini|vscode|pth|AGENTS|SOUL|MEMORY)\b/i;

/** The values and parameters of functions, which outlive the first reading. */
interface Known {
  readonly values: Map<string, readonly Value[]>;
  readonly parameters: Map<string, readonly string[]>;
}

function walk(statements: readonly CodeStatement[], functions: Known, language: FlowLanguage): readonly FoundFlow[] {
  const names = new Map<string, readonly Value[]>(functions.values);
  /** Names of open files by the names or paths that they were opened with. */
  const opened = new Map<string, string>();
  const flows: FoundFlow[] = [];
  let current = '';
  const give = (name: string, values: readonly Value[]): void => {
    if (name === '' || values.length === 0) return;
    names.set(name, join(names.get(name) ?? [], values));
  };
  for (const statement of statements) {
    const used = findUsed(statement, names, language);
    const values = join(findSources(statement), used);
    current = findFunction(statement, language) ?? current;
    rememberParameters(statement, functions);
    if (flows.length < MAX_FLOWS) flows.push(...findArrivals(statement, values, names));
    if (values.length > 0 && findFunction(statement, language) === undefined)
      for (const [, name = ''] of statement.code.matchAll(CALL))
        for (const parameter of functions.parameters.get(name) ?? []) keepFor(functions, parameter, values);
    // A function of the shell prints its values.
    if (language === 'shell' ? current !== '' : RETURN.test(statement.code)) keepFor(functions, current, values);
    for (const [file, name] of findOpened(statement)) opened.set(file, name);
    const kept = values.filter(({ kind }) => kind !== 'channel' || language !== 'shell');
    const targets = findTargets(statement, language);
    for (const name of targets.set) if (kept.length === 0 && !functions.values.has(name)) names.delete(name);
    for (const name of [...targets.set, ...targets.added]) {
      give(name, kept);
      // Text that is written into an open file is in that file.
      give(opened.get(name) ?? '', toFile(kept, statement));
    }
    for (const { name, address } of findSaved(statement))
      give(name, [{ kind: 'download', from: endOf(statement), about: address }]);
  }
  return flows;
}

function join(values: readonly Value[], added: readonly Value[]): readonly Value[] {
  if (added.length === 0) return values;
  const all = [...values];
  for (const value of added)
    if (all.length < MAX_VALUES && !all.some(({ kind, about }) => kind === value.kind && about === value.about))
      all.push(value);
  return all;
}

function keepFor({ values }: Known, name: string, added: readonly Value[]): void {
  const worth = added.filter(({ kind }) => kind !== 'channel');
  if (name === '' || worth.length === 0) return;
  values.set(name, join(values.get(name) ?? [], worth));
}

const CALL = /([\w$]{1,60})\s?\(/g;
const FUNCTION =
  /(?:^|\s)(?:async\s)?(?:def|function)\s([\w$]{1,60})|(?:const|let|var)\s([\w$]{1,60})\s?=\s?(?:async\s?)?(?:\([^)]{0,200}\)|[\w$]{1,40})\s?=>|(?:^|\s)([\w$]{1,60})\(\)\s?\{/;
const RETURN = /^\s?(?:return|yield)\b/;
const PARAMETERS =
  /(?:def|function)\s([\w$]{1,60})\s?\(([^)]{1,300})|(?:const|let|var)\s([\w$]{1,60})\s?=\s?(?:async\s?)?\(([^)]{1,300})\)\s?=>/;

/** The method of a class whose body begins here. */
const METHOD =
  /^\s?(?:static\s|async\s){0,2}(?!(?:if|for|while|switch|catch|function|with)\b)([\w$]{1,60})\s?\(([^()]{0,300})\)\s?$/;

/** The name of the function whose body begins with a statement; empty where one ends. */
function findFunction({ code, isHead = false }: CodeStatement, language: FlowLanguage): string | undefined {
  if (language === 'shell' && /^\s?\}/.test(code)) return '';
  const found = FUNCTION.exec(code)?.slice(1) ?? (isHead ? METHOD.exec(code)?.slice(1, 2) : undefined);
  const name = found?.find((one) => one !== undefined);
  return name !== undefined && language === 'shell' ? `${name}()` : name;
}

function rememberParameters({ code, isHead = false }: CodeStatement, { parameters }: Known): void {
  const [, name, list = '', other, otherList = ''] =
    PARAMETERS.exec(code) ?? (isHead ? METHOD.exec(code) : undefined) ?? [];
  const found = name ?? other;
  if (found === undefined) return;
  const names = `${list},${otherList}`
    .split(',')
    .map((one) => /^\s?(?:\.{3}|\*{1,2})?([A-Za-z_$][\w$]{0,60})/.exec(one)?.[1] ?? '');
  parameters.set(
    found,
    names.filter((one) => one !== '' && one !== 'self'),
  );
}

const ADDRESS = /\b(?:https?|wss?|ftp|tcp):\/\/[^\s"'`<>)\\]{3,200}/g;

function findSources(statement: CodeStatement): readonly Value[] {
  const text = withoutUnsent(statement.text);
  const from = endOf(statement);
  const values: Value[] = [];
  for (const [kind, pattern] of SOURCES) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const start = statement.start + Math.max(0, statement.text.indexOf(found[0]));
    values.push({
      kind,
      from: { start, text: statement.text },
      about: kind === 'remote' ? (text.match(ADDRESS)?.[0] ?? '') : '',
    });
  }
  const secrets = findSecretNames(withoutLogin(text));
  if (secrets.length >= SEVERAL) values.push({ kind: 'secrets', from, about: '' });
  for (const about of secrets.slice(0, SEVERAL)) values.push({ kind: 'secret', from, about });
  for (const about of (text.match(ADDRESS) ?? []).slice(0, SEVERAL)) values.push({ kind: 'address', from, about });
  return values;
}

/** So many keys of different services are collected, not used. */
const SEVERAL = 3;

function endOf({ start, text }: CodeStatement): FlowEnd {
  return { start: start + (text.length - text.trimStart().length), text };
}

const NAME = /[A-Za-z_$][\w$]{0,60}/g;
const SHELL_NAME = /\$\{?([A-Za-z_]\w{0,60})/g;
const PATH = /[\w.~${}-]{0,60}\/[\w./~${}-]{1,120}|\b[\w-]{1,60}\.\w{1,8}\b/g;

/** The values behind the names and paths of a statement. Keys for a login do not count as used. */
function findUsed(
  statement: CodeStatement,
  names: ReadonlyMap<string, readonly Value[]>,
  language: FlowLanguage,
): readonly Value[] {
  if (names.size === 0) return [];
  // A name that only gets a new value is not used.
  const code = withoutUnsent(statement.code).replace(NEW_VALUE, ' ');
  const isLogin = withoutLogin(code) !== code;
  let values: readonly Value[] = [];
  const look = (text: string, pattern: RegExp, filter: (value: Value) => boolean): void => {
    for (const match of text.matchAll(pattern)) {
      const name = match[1] ?? match[0];
      const file = name.replace(/^.*\//, '');
      const known = names.get(name) ?? names.get(file) ?? names.get(file.replace(PACKED, ''));
      if (known !== undefined) values = join(values, known.filter(filter));
    }
  };
  const used = language === 'shell' ? SHELL_NAME : NAME;
  if (isLogin) {
    look(code, used, ({ kind }) => kind !== 'secret' && kind !== 'agent');
    look(withoutLogin(code), used, () => true);
  } else look(code, used, () => true);
  // Strings of other languages may contain shell commands with names.
  if (language === 'shell') {
    look(statement.text, PATH, ({ kind }) => kind !== 'address');
    for (const [, name = ''] of code.matchAll(SHELL_CALL)) values = join(values, names.get(`${name}()`) ?? []);
  } else look(statement.text, PATH, ({ kind }) => kind === 'download' || kind === 'keys');
  return values;
}

/** A command that may be a function of the script. */
const SHELL_CALL = /(?:^|[|;&(`]|\b(?:do|then|else)\b)\s?([A-Za-z_]\w{0,60})\b(?![=(])/g;
/** Endings that `gzip` and its like add to the name of a file. */
const PACKED = /\.(?:gz|bz2|xz|zst|enc|gpg|b64|base64)$/;
const NEW_VALUE = /^\s?(?:const\s|let\s|var\s)?[A-Za-z_$][\w$]{0,60}\s?=(?!=|>)/;

interface Targets {
  /** Names that get a new value. */
  readonly set: readonly string[];
  /** Names that get another value besides the one they have. */
  readonly added: readonly string[];
}

const ASSIGNED =
  /^\s?(?:export\s)?(?:const\s|let\s|var\s|self\.|this\.|readonly\s|local\s|declare\s(?:-\w{1,3}\s)?)?([A-Za-z_$][\w$]{0,60})((?:\.[\w$]{1,60}|\[[^\]]{0,80}\]){0,3})\s?(?::\s?[\w<>[\], |.]{1,80})?[+|]?=(?!=|>)/;
const UNPACKED =
  /^\s?(?:const\s|let\s|var\s)?[{[(]?\s?((?:\.{3})?[A-Za-z_$][\w$]{0,60}(?:\s?[,:]\s?(?:\.{3})?[A-Za-z_$][\w$]{0,60}){1,12})\s?[}\])]?\s?=(?!=)/;
const LOOP =
  /\bfor\s?\(?\s?(?:const\s|let\s|var\s)?[[(]?\s?([A-Za-z_$][\w$]{0,60})(?:\s?,\s?([A-Za-z_$][\w$]{0,60}))?\s?[\])]?\s(?:in|of)\s/g;
const AS = /\bas\s([A-Za-z_]\w{0,60})\s?[:,]?/g;
const FILLED =
  /(?:^|[\s(])([A-Za-z_$][\w$]{0,60})(?:\.[\w$]{1,30}|\[[^\]]{0,60}\]){0,2}\.(?:append|extend|update|push|set|add|insert|write|writestr|write_text|write_bytes|writelines|set_content|attach|put|setdefault|concat)\(/g;
const WRITTEN =
  /\b(?:writeFile(?:Sync)?|appendFile(?:Sync)?|copyFile(?:Sync)?|outputFile(?:Sync)?)\(\s?["'`]?([\w$./~-]{1,160})|\bshutil\.copy\w{0,4}\([^,\n]{1,160},\s?["'`]?([\w$./~-]{1,160})/g;
const RECEIVER =
  /\bhttps?\.(?:get|request)\([\s\S]{0,300}?(?:\(\s?([\w$]{1,40})\s?\)\s?=>|function\s?\(\s?([\w$]{1,40})|,\s?([\w$]{1,40})\s?=>)/g;
const PIPED = /\.pipe\(\s?([\w$]{1,60})/g;

const SHELL_ASSIGNED = /(?:^|[\s;])(?:export\s|local\s|readonly\s|declare\s(?:-\w{1,3}\s)?)?([A-Za-z_]\w{0,60})\+?=/g;
const SHELL_FILES = [
  />{1,2}\s?["']?([\w./~${}-]{2,160})/g,
  /\btee\s(?:-a\s)?["']?([\w./~${}-]{2,160})/g,
  /\b(?:cp|mv|ln)\s[^\n|]{0,300}\s["']?([\w./~${}-]{2,160})["']?\s?$/g,
  /\btar\s(?:-{0,2}\w{0,6}f|[^\n|]{0,60}\s-f)\s["']?([\w./~${}-]{2,160})/g,
  /\b(?:zip|7z\sa|7za\sa|rar\sa)\s(?:-\w{1,8}\s){0,3}["']?([\w./~${}-]{2,160})/g,
  /\b(?:gzip|openssl|gpg)\b[^\n|]{0,200}?\s-(?:o|out)\s["']?([\w./~${}-]{2,160})/g,
];

function findTargets({ text, code }: CodeStatement, language: FlowLanguage): Targets {
  if (language === 'shell') {
    const loop = [...text.matchAll(LOOP)].map(([, name = '']) => name);
    const files = SHELL_FILES.flatMap((pattern) => [...text.matchAll(pattern)].map(([, path = '']) => toName(path)));
    const read = /\bread\s(?:-\w{1,3}\s){0,2}([A-Za-z_]\w{0,60})/.exec(text)?.[1] ?? '';
    const moved = /\bxargs\b[^\n]{0,80}\bcp\s[^\n]{0,40}["']?(\$\w{1,40})/.exec(text)?.[1] ?? '';
    const set = [...text.matchAll(SHELL_ASSIGNED)].map(([, name = '']) => name);
    return { set: [...set, ...loop, read], added: [...files, moved.replace(/^\$/, '')] };
  }
  const [, name = '', rest = ''] = ASSIGNED.exec(code) ?? [];
  const [, list = ''] = UNPACKED.exec(code) ?? [];
  const unpacked = list.split(/[,:]/).map((one) => one.replace(/^\s?\.{3}|\s/g, ''));
  const all = (pattern: RegExp, from: string): readonly string[] =>
    [...from.matchAll(pattern)].flatMap(([, ...groups]) => groups.filter((group) => group !== undefined));
  const loops = [...all(LOOP, code), ...all(AS, code)];
  const added = [...all(FILLED, code), ...all(WRITTEN, text).map(toName), ...all(RECEIVER, code), ...all(PIPED, code)];
  return rest === ''
    ? { set: [name, ...unpacked, ...loops], added }
    : { set: [...unpacked, ...loops], added: [name, ...added] };
}

/** `"$D/out.zip"` and `out.zip` are the same file for us, `$FILE` is the variable. */
function toName(path: string): string {
  const variable = /^\$\{?(\w{1,60})\}?$/.exec(path)?.[1];
  return variable ?? (/[./]/.test(path) ? path.replace(/^.*\//, '') : path);
}

const OPENED =
  /\b(?:open|createWriteStream|createReadStream|ZipFile|TarFile|tarfile\.open)\(\s?(?:fileobj\s?=\s?)?["'`]?([\w$./~-]{1,160})["'`]?[^\n]{0,120}?(?:\)\s?as\s([\w$]{1,60})|$)/;

/** `file = folder / "name"` */
const JOINED =
  /^\s?(?:const\s|let\s|var\s)?([\w$]{1,60})\s?=\s?(?:(?:os\.)?path\.join\(\s?)?(?!\w{0,20}(?:home|root|base|cwd|path)\b)([A-Za-z_]\w{0,60})\s?[/,]\s?["'`\w]/i;

/** Pairs of the name of an open file and the name or path of that file, or of a path and the folder it is in. */
function findOpened({ text, code }: CodeStatement): readonly (readonly [file: string, name: string])[] {
  const [, joined, folder] = JOINED.exec(text) ?? [];
  if (joined !== undefined && folder !== undefined) return [[joined, folder]];
  const [, path, as] = OPENED.exec(text) ?? [];
  const file = as ?? ASSIGNED.exec(code)?.[1];
  if (path === undefined || file === undefined) return [];
  return [[file, toName(path)]];
}

/** The answer of a server, once it is in a file, is a download. */
function toFile(values: readonly Value[], statement: CodeStatement): readonly Value[] {
  return values.map((value) =>
    value.kind === 'remote' ? { ...value, kind: 'download', from: endOf(statement) } : value,
  );
}

interface Saved {
  readonly name: string;
  readonly address: string;
}

function findSaved({ text }: CodeStatement): readonly Saved[] {
  const address = text.match(ADDRESS)?.[0] ?? '';
  const named = SAVES.flatMap((pattern) => [...text.matchAll(pattern)].map(([, path = '']) => toName(path)));
  const byAddress = [...text.matchAll(SAVES_BY_NAME)].map(([, name = '']) => name);
  const names = [...named, ...byAddress].filter((name) => name !== '' && name !== 'null');
  return names.map((name) => ({ name, address }));
}

/** The values that a statement sends or runs. */
function findArrivals(
  statement: CodeStatement,
  values: readonly Value[],
  names: ReadonlyMap<string, readonly Value[]>,
): readonly FoundFlow[] {
  if (values.length === 0 && names.size === 0) return [];
  const at = SENDS.exec(statement.text)?.index ?? WRITES.exec(statement.text)?.index ?? 0;
  const to = { ...endOf(statement), sink: statement.start + at };
  const found = (value: Value, kind: FoundFlow['kind']): FoundFlow => {
    const own = values.filter((one) => one.kind === 'address').map(({ about }) => about);
    const about = value.kind === 'download' || value.kind === 'remote' ? [value.about] : [];
    return { kind, from: value.from, to, addresses: [...about, ...own].filter((one) => one !== '') };
  };
  const flows: FoundFlow[] = [];
  if (sends(statement, names))
    for (const value of values) if (isTaken(value, values)) flows.push(found(value, value.kind));
  for (const value of values)
    if ((value.kind === 'start' || value.kind === 'memory') && writes(statement, value))
      flows.push(found(value, value.kind));
  const remote = values.find(({ kind }) => kind === 'remote');
  if (remote !== undefined && runsRemote(statement, names)) flows.push(found(remote, 'remote'));
  const run = findRun(statement, names);
  if (run !== undefined && run.from.start !== to.start) flows.push(found(run, 'download'));
  return flows;
}

function sends({ text, code }: CodeStatement, names: ReadonlyMap<string, readonly Value[]>): boolean {
  if (SENDS.test(text)) return !LOCAL.test(text) && !(LISTS.test(code) && !ARGUMENTS.test(text));
  return [...code.matchAll(CHANNEL_SENDS)].some(([, name = '']) =>
    names.get(name)?.some(({ kind }) => kind === 'channel'),
  );
}

/** Whether a statement writes to a file of this kind, and does not only copy it elsewhere. */
function writes({ text }: CodeStatement, { kind }: Value): boolean {
  if (!WRITES.test(text)) return false;
  const copied = /\b(?:cp|mv)\s(?:-\w{1,4}\s)?([^\s|;&]{1,160})\s/.exec(text)?.[1];
  return copied === undefined || !SOURCES.some(([source, pattern]) => source === kind && pattern.test(` ${copied}`));
}

/** A list or a table that calls nothing, such as the patterns of a scanner; and one that is a command with its arguments. */
const LISTS = /^\s?(?:const\s|let\s|var\s|export\s){0,2}[\w$]{1,60}\s?(?::[^=\n(]{1,60})?=\s?[{[][^()]{0,4000}$/;
const ARGUMENTS = /\[\s?["'](?:curl|wget|nc|ncat|scp|rsync|ssh|sh|bash)["']/;
const LOCAL = /\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])/;

type TakenValue = Value & { readonly kind: Exclude<ValueKind, 'channel' | 'remote'> };

const STOLEN: ReadonlySet<string> = new Set([
  'environment',
  'keys',
  'browser',
  'agent',
  'variables',
  'secrets',
  'secret',
  'documents',
  'project',
]);

/** Whether a value that is sent does not belong to the one who gets it. */
function isTaken(value: Value, values: readonly Value[]): value is TakenValue {
  if (!STOLEN.has(value.kind)) return false;
  if (value.kind !== 'secret') return true;
  const hosts = hostsOfSecret(value.about);
  const addresses = values.filter(({ kind }) => kind === 'address').map(({ about }) => about);
  return hosts !== undefined && addresses.length > 0 && !addresses.some((address) => hosts.test(hostOf(address)));
}

function hostOf(address: string): string {
  return /\/\/([^/?#]{1,120})/.exec(address)?.[1]?.toLowerCase() ?? '';
}

/** Whether a statement runs as code or as a command what a server sent. */
function runsRemote({ text, code }: CodeStatement, names: ReadonlyMap<string, readonly Value[]>): boolean {
  if (RUNS_TEXT.test(code)) return true;
  return [...text.matchAll(RUNS_COMMAND)].some(([, name = '']) =>
    names.get(name)?.some(({ kind }) => kind === 'remote'),
  );
}

/** The download that a statement runs or makes executable. */
function findRun({ text }: CodeStatement, names: ReadonlyMap<string, readonly Value[]>): Value | undefined {
  for (const pattern of RUNS_FILE)
    for (const [, path = ''] of text.matchAll(pattern)) {
      const found = names.get(toName(path)) ?? names.get(path.replace(/^\$\{?|\}$/g, ''));
      const download = found?.find(({ kind }) => kind === 'download');
      if (download !== undefined) return download;
    }
  return undefined;
}
