/**
 * Rolls the declarations of the package up: one file per entry point, and one for what several of them share, so that a class
 * is the same type in all of them. The tools that do this need TypeScript's compiler API, which version 7 does not have.
 */
import { dirname, join } from 'node:path';

import { parseAst } from 'rolldown/parseAst';

import { childOf, listMentions, nodesOf, textOf } from './api.ts';

/** Base name of the file with the shared declarations. */
const SHARED = 'declarations';

/**
 * Returns the text of each new file by its name. `read` returns a declaration file as the compiler wrote it.
 * Throws if two declarations have one name, or one is imported under another name: the files share one scope.
 */
export function rollUpDeclarations(
  entries: readonly string[],
  read: (file: string) => string,
): ReadonlyMap<string, string> {
  const modules = new Map<string, Module>();
  const open = (file: string): Module => {
    const known = modules.get(file) ?? readModule(file, read(file));
    modules.set(file, known);
    return known;
  };
  const exported = new Map(entries.map((entry) => [entry, listExports(`${entry}.d.ts`, open)]));
  const users = new Map<Declared, Set<string>>();
  const visit = (declared: Declared, entry: string): void => {
    const known = users.get(declared) ?? new Set();
    if (known.has(entry)) return;
    users.set(declared, known.add(entry));
    for (const inner of listDeclared(declared, open)) visit(inner, entry);
  };
  for (const [entry, names] of exported) for (const { declared } of names) visit(declared, entry);
  const homes = new Map([...users].map(([declared, [first = '', ...more]]) => [declared, more[0] ? SHARED : first]));
  refuseTwins([...homes.keys()]);

  const isAt = (home: string, declared: Declared): boolean => homes.get(declared) === home;
  const render = (home: string): string => {
    const own = [...homes.keys()].filter((declared) => isAt(home, declared));
    const shared = own.flatMap((declared) => listDeclared(declared, open)).filter((inner) => !isAt(home, inner));
    const packages = own.flatMap(({ file, mentions }) => mentions.map((name) => open(file).packages.get(name) ?? ''));
    const names = exported.get(home) ?? own.map((declared) => ({ text: declared.name, declared }));
    const here = names.filter(({ declared }) => isAt(home, declared));
    const there = names.filter(({ declared }) => !isAt(home, declared));
    const statements = [
      ...new Set(packages.toSorted()),
      listNames(
        'import',
        shared.map(({ name }) => name),
        ` from './${SHARED}.js'`,
      ),
      ...own.map(({ texts }) => texts.join('\n')),
      listNames(
        'export',
        there.map(({ text }) => text),
        ` from './${SHARED}.js'`,
      ),
      listNames(
        'export',
        here.map(({ text }) => text),
      ) || 'export {};',
    ];
    return `${statements.filter((text) => text !== '').join('\n')}\n`;
  };
  return new Map([...entries, SHARED].map((home) => [`${home}.d.ts`, render(home)]));
}

/** All declarations of one name in one file: a function with its overloads is one. */
interface Declared {
  readonly file: string;
  readonly name: string;
  readonly texts: string[];
  readonly mentions: string[];
}

interface Reference {
  readonly file: string;
  readonly name: string;
  readonly isType: boolean;
}

interface Module {
  readonly declared: ReadonlyMap<string, Declared>;
  /** Names that another file of ours declares. */
  readonly imports: ReadonlyMap<string, Reference>;
  /** Names from packages, with the statement that imports each. */
  readonly packages: ReadonlyMap<string, string>;
  readonly exports: ReadonlyMap<string, Reference>;
}

function readModule(file: string, source: string): Module {
  const declared = new Map<string, Declared>();
  const imports = new Map<string, Reference>();
  const packages = new Map<string, string>();
  const exports = new Map<string, Reference>();
  let end = 0;
  for (const statement of nodesOf(parseAst(source, { lang: 'dts' }), 'body')) {
    const from = textOf(childOf(statement, 'source'), 'value');
    const target = from.startsWith('.') ? join(dirname(file), from.replace(/\.[jt]s$/, '.d.ts')) : undefined;
    const isExport = statement.type === 'ExportNamedDeclaration';
    for (const specifier of nodesOf(statement, 'specifiers')) {
      const local = textOf(childOf(specifier, 'local'), 'name');
      const text = source.slice(specifier.start, specifier.end).replace(/^type /, '');
      const isType = [statement, specifier].some((node) => textOf(node, 'exportKind') === 'type');
      if (isExport)
        exports.set(textOf(childOf(specifier, 'exported'), 'name'), { file: target ?? file, name: local, isType });
      else if (target === undefined) packages.set(local, `import { ${text} } from '${from}';`);
      else imports.set(local, { file: target, name: textOf(childOf(specifier, 'imported'), 'name'), isType });
    }
    const declaration = childOf(statement, 'declaration') ?? statement;
    const [variable] = nodesOf(declaration, 'declarations');
    const name = textOf(childOf(variable ?? declaration, 'id'), 'name');
    const comment = /\/\*\*(?:(?!\*\/).)*\*\/\s*$/s.exec(source.slice(end, statement.start))?.[0] ?? '';
    end = statement.end;
    if (name === '') continue;
    const known = declared.get(name) ?? { file, name, texts: [], mentions: [] };
    known.texts.push(comment + source.slice(statement.start, end).replace(/^export /, ''));
    known.mentions.push(...listMentions(declaration));
    declared.set(name, known);
    if (isExport) exports.set(name, { file, name, isType: false });
  }
  return { declared, imports, packages, exports };
}

function listExports(
  file: string,
  open: (file: string) => Module,
): readonly { readonly text: string; readonly declared: Declared }[] {
  return [...open(file).exports].map(([name, { file: from, name: local, isType }]) => {
    const declared = resolve(from, local, open);
    if (declared === undefined) throw new Error(`${file} exports ${name}, which is not declared`);
    const alias = declared.name === name ? '' : ` as ${name}`;
    return { text: `${isType ? 'type ' : ''}${declared.name}${alias}`, declared };
  });
}

/** Our declarations that one mentions. */
function listDeclared({ file, mentions }: Declared, open: (file: string) => Module): readonly Declared[] {
  return mentions.flatMap((name) => {
    const found = resolve(file, name, open);
    if (found !== undefined && found.name !== name)
      throw new Error(`${file} imports ${found.name} as ${name}; import it by its own name`);
    return found ?? [];
  });
}

/** Undefined if none of our files declares the name. */
function resolve(file: string, name: string, open: (file: string) => Module): Declared | undefined {
  const { declared, imports, exports } = open(file);
  const own = declared.get(name);
  if (own !== undefined) return own;
  const target = imports.get(name) ?? exports.get(name);
  return target === undefined || target.file === file ? undefined : resolve(target.file, target.name, open);
}

function refuseTwins(all: readonly Declared[]): void {
  const files = new Map<string, string>();
  for (const { name, file } of all) {
    const other = files.get(name);
    if (other !== undefined) throw new Error(`${other} and ${file} both declare ${name}; rename one of them`);
    files.set(name, file);
  }
}

function listNames(keyword: 'import' | 'export', names: readonly string[], from = ''): string {
  return names.length === 0 ? '' : `${keyword} { ${[...new Set(names)].sort().join(', ')} }${from};`;
}
