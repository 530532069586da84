/** Reads the public interface of the package from the declarations in dist/. TypeScript 7 has no interface for that. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { parseAst } from 'rolldown/parseAst';

/** The entry points that programs may rely on: `skillplane` is `index`. */
export const PUBLIC_ENTRY_POINTS: readonly string[] = [
  'index',
  'agent',
  'ai-sdk',
  'install',
  'audit',
  'ctx',
  'mcp',
  'toolset',
  'testing',
];

/** An exported name with its declarations. */
export interface ApiName {
  readonly name: string;
  readonly isValue: boolean;
  /** The first paragraph of its comment; empty without one. */
  readonly summary: string;
  /** The declarations without comments. */
  readonly text: string;
  /** Does a signature of a value, of any entry point, name it? Always true of values. */
  readonly isNamed: boolean;
}

/** The exported names of every entry point, values first, each sorted. */
export function readApi(dir: string, entries: readonly string[]): ReadonlyMap<string, readonly ApiName[]> {
  const modules = new Map<string, Module>();
  const open = (file: string): Module => {
    const known = modules.get(file) ?? readModule(file);
    modules.set(file, known);
    return known;
  };
  const exported = entries.map((entry) => {
    const file = join(dir, `${entry}.d.ts`);
    const names = [...open(file).exports].map(([name, { isType }]) => {
      const declarations = resolve(file, name, open);
      return { name, declarations, isValue: !isType && declarations.some(isDeclaredValue) };
    });
    return { entry, names };
  });
  const named = new Set<string>();
  for (const { declarations } of exported.flatMap(({ names }) => names).filter(({ isValue }) => isValue))
    collectNamed(declarations, named, open);
  return new Map(
    exported.map(({ entry, names }) => {
      const all = names.map(({ name, isValue, declarations }) => ({
        name,
        isValue,
        summary: declarations.map(({ summary }) => summary).find((text) => text !== '') ?? '',
        text: declarations.map((declaration) => renameTo(name, declaration)).join('\n'),
        isNamed: isValue || declarations.some(({ id }) => named.has(id)),
      }));
      return [entry, all.sort((a, b) => Number(b.isValue) - Number(a.isValue) || (a.name < b.name ? -1 : 1))];
    }),
  );
}

export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

interface Declaration {
  /** Its file and name, by which others refer to it. */
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly type: string;
  readonly summary: string;
  readonly text: string;
  /** Names of types in it. */
  readonly mentions: readonly string[];
}

/** A name of this file, or of another one. */
interface Reference {
  readonly file: string;
  readonly name: string;
  /** `export type` */
  readonly isType: boolean;
}

interface Module {
  readonly declarations: ReadonlyMap<string, readonly Declaration[]>;
  readonly imports: ReadonlyMap<string, Reference>;
  readonly exports: ReadonlyMap<string, Reference>;
}

function isDeclaredValue({ type }: Declaration): boolean {
  return !['TSInterfaceDeclaration', 'TSTypeAliasDeclaration'].includes(type);
}

/** The declarations that a name of a file stands for, wherever they are. None if they are in another package. */
function resolve(file: string, name: string, open: (file: string) => Module): readonly Declaration[] {
  const { exports, imports, declarations } = open(file);
  const own = declarations.get(name);
  if (own !== undefined) return own;
  const target = imports.get(name) ?? exports.get(name);
  return target === undefined ? [] : resolve(target.file, target.name, open);
}

/** Adds the ids of everything that these declarations name, however deep. */
function collectNamed(declarations: readonly Declaration[], named: Set<string>, open: (file: string) => Module): void {
  for (const { file, mentions } of declarations) {
    for (const mention of mentions) {
      const found = resolve(file, mention, open).filter(({ id }) => !named.has(id));
      for (const { id } of found) named.add(id);
      collectNamed(found, named, open);
    }
  }
}

function readModule(file: string): Module {
  const source = readFileSync(file, 'utf8');
  const declarations = new Map<string, Declaration[]>();
  const imports = new Map<string, Reference>();
  const exports = new Map<string, Reference>();
  for (const statement of nodesOf(parseAst(source, { lang: 'dts' }), 'body')) {
    const from = textOf(childOf(statement, 'source'), 'value');
    const target = from.startsWith('.') ? join(dirname(file), from.replace(/\.[jt]s$/, '.d.ts')) : undefined;
    for (const specifier of nodesOf(statement, 'specifiers')) {
      const local = textOf(childOf(specifier, 'local'), 'name');
      const isType = [statement, specifier].some((node) => textOf(node, 'exportKind') === 'type');
      if (statement.type === 'ExportNamedDeclaration')
        exports.set(textOf(childOf(specifier, 'exported'), 'name'), { file: target ?? file, name: local, isType });
      else if (target !== undefined)
        imports.set(local, { file: target, name: textOf(childOf(specifier, 'imported'), 'name'), isType });
    }
    const declaration = childOf(statement, 'declaration') ?? statement;
    const [variable] = nodesOf(declaration, 'declarations');
    const name = textOf(childOf(variable ?? declaration, 'id'), 'name');
    if (name === '') continue;
    const { start, end } = statement;
    const summary = readSummary(source.slice(0, start));
    const text = stripComments(source.slice(start, end));
    const mentions = listMentions(declaration);
    const read = { id: `${file} ${name}`, name, file, type: declaration.type, summary, text, mentions };
    declarations.set(name, [...(declarations.get(name) ?? []), read]);
    if (statement.type === 'ExportNamedDeclaration') exports.set(name, { file, name, isType: false });
  }
  return { declarations, imports, exports };
}

/** The first paragraph of the comment that ends here. */
function readSummary(before: string): string {
  const comment = /\/\*\*((?:(?!\*\/).)*)\*\/\s*$/s.exec(before)?.[1] ?? '';
  const [paragraph = ''] = comment
    .replaceAll(/^\s*\* ?/gm, '')
    .trim()
    .split(/\n\s*\n/);
  return paragraph.replaceAll(/\s+/g, ' ').trim();
}

function stripComments(text: string): string {
  return text
    .replaceAll(/[ \t]*\/\*\*(?:(?!\*\/).)*\*\/\n?/gs, '')
    .replaceAll(/^ +#private;\n/gm, '')
    .replace(/^(?:export )?(?:declare )?/, '');
}

/** The declaration under the name by which it is exported. */
function renameTo(name: string, declaration: Declaration): string {
  return declaration.text.replace(new RegExp(`\\b${declaration.name}\\b`), name);
}

/** Names of types and values that types mention. */
export function listMentions(node: Node): readonly string[] {
  const computed = Reflect.get(node, 'computed') === true ? ['key'] : [];
  const own = ['typeName', 'exprName', 'expression', 'superClass', ...computed].map((key) =>
    textOf(leftmost(childOf(node, key)), 'name'),
  );
  const inner = Object.values(node).flatMap((value: unknown) =>
    (Array.isArray(value) ? value : [value]).filter(isNode).flatMap(listMentions),
  );
  return [...own.filter((name) => name !== ''), ...inner];
}

/** Of `a.b.c`, the `a`. */
function leftmost(node: Node | undefined): Node | undefined {
  const left = childOf(node, 'left') ?? childOf(node, 'object');
  return left === undefined ? node : leftmost(left);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

export function childOf(node: object | undefined, key: string): Node | undefined {
  const value: unknown = node === undefined ? undefined : Reflect.get(node, key);
  return isNode(value) ? value : undefined;
}

export function nodesOf(node: object, key: string): readonly Node[] {
  const value: unknown = Reflect.get(node, key);
  return Array.isArray(value) ? value.filter(isNode) : [];
}

export function textOf(node: Node | undefined, key: string): string {
  const value: unknown = node === undefined ? undefined : Reflect.get(node, key);
  return typeof value === 'string' ? value : '';
}
