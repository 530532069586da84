import { readFileSync } from 'node:fs';

import { PUBLIC_ENTRY_POINTS, readApi, type ApiName } from './api.ts';

/** Renders the library's reference and the recorded interface of each entry point, by path. Needs a build. */
export function renderLibrary(): Readonly<Record<string, string>> {
  const api = readApi('dist', PUBLIC_ENTRY_POINTS);
  const reports = [...api].map(([entry, names]) => [`docs/api/${entry}.txt`, renderReport(entry, names)] as const);
  const sections = [...api].map(([entry, names]) => renderSection(entry, names));
  const contents = [...api].map(
    ([entry, names]) => `- [${nameOf(entry)}](#${nameOf(entry).replace('/', '')}): ${listNames(valuesOf(names))}`,
  );
  const page = [
    '# The library',
    'Generated from the declarations of the entry points `src/*.ts` and from `examples/reference/`; run `npx node tools/generate-docs.ts` after a change.',
    'Semantic versioning applies to everything on this page. Expected failures are values (`Outcome`): ask for `ok` first. The ' +
      'examples run with every test, in a folder with one skill, `skills/pdf`; comments show what they print. Where an example ' +
      "uses `skills`, it was opened with `await openSkills({ dirs: ['./skills'] })`.",
    contents.join('\n'),
    ...sections,
  ].join('\n\n');
  return { 'docs/reference/library.md': `${page}\n`, ...Object.fromEntries(reports) };
}

/** The examples of an entry point, by the name that each shows. */
export function readExamples(entry: string): ReadonlyMap<string, string> {
  const source = readFileSync(`examples/reference/${entry}.ts`, 'utf8');
  const imports = [...source.matchAll(/^import (?:type )?\{([^}]+)\} from '([^']+)';$/gm)].map(
    ([, names = '', from = '']) => ({
      names: names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
      from,
    }),
  );
  const regions = source.matchAll(/^\/\/ #region (\w+)\n\{\n(.*?)^\}\n\/\/ #endregion$/gms);
  return new Map(
    [...regions].map(([, name = '', body = '']) => {
      const code = body.replaceAll(/^ {2}/gm, '');
      const used = imports.flatMap(({ names, from }) => {
        const some = names.filter((each) => new RegExp(`\\b${each.replace(/^type /, '')}\\b`).test(code));
        return some.length === 0 ? [] : [`import { ${some.join(', ')} } from '${from}';\n`];
      });
      return [name, `${used.join('')}\n${code}`] as const;
    }),
  );
}

function renderReport(entry: string, names: readonly ApiName[]): string {
  const values = valuesOf(names);
  const types = names.filter(({ isValue }) => !isValue);
  const head = `${nameOf(entry)}\n\nvalues: ${values.length}, types: ${types.length}\n\nWritten by tools/generate-docs.ts from the declarations. A change here is a change of what users rely on.\n`;
  return [head, ...names.map(({ text }) => `${text}\n`)].join('\n');
}

function renderSection(entry: string, names: readonly ApiName[]): string {
  const about = /^\/\*\*(.*?)\*\//s.exec(readFileSync(`src/${entry}.ts`, 'utf8'))?.[1] ?? '';
  const examples = readExamples(entry);
  const values = valuesOf(names).map(({ name, summary, text }) =>
    [`### ${name}`, summary, fence(text), fence(examples.get(name) ?? '')].join('\n\n'),
  );
  return [`## ${nameOf(entry)}`, about.replaceAll(/\s*\n \* ?/g, ' ').trim(), ...values].join('\n\n');
}

function fence(code: string): string {
  return `\`\`\`ts\n${code.trim()}\n\`\`\``;
}

function listNames(names: readonly ApiName[]): string {
  return names.map(({ name }) => `\`${name}\``).join(' · ');
}

function nameOf(entry: string): string {
  return entry === 'index' ? 'skillplane' : `skillplane/${entry}`;
}

function valuesOf(names: readonly ApiName[]): readonly ApiName[] {
  return names.filter(({ isValue }) => isValue);
}
