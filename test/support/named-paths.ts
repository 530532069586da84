import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The folders, files and scripts of a checkout. */
export interface Checkout {
  /** Folders that a path starts with, from the root or from `src/`. Any other path is one of the reader's machine. */
  readonly folders: ReadonlySet<string>;
  readonly fileNames: ReadonlySet<string>;
  readonly scripts: ReadonlySet<string>;
}

const SKIPPED = /(?:^|\/)(?:node_modules|dist|coverage|\.git)$|^bench\/cache$/;

export function readCheckout(): Checkout {
  const files = globSync(['**', '.ci/**'], { exclude: (path) => SKIPPED.test(path) });
  const folders = files.flatMap((path) => /^(?:src\/)?([\w.-]+)\//.exec(path)?.[1] ?? []);
  const manifest: { readonly scripts: object } = JSON.parse(readFileSync('package.json', 'utf8'));
  return {
    folders: new Set(folders),
    fileNames: new Set(files.map((path) => basename(path))),
    scripts: new Set(['test', 'start', ...Object.keys(manifest.scripts)]),
  };
}

/**
 * Links, paths and scripts in a Markdown page that do not exist. A path in backticks starts at the root or at `src/`; `*` and `<name>`
 * stand for anything. The name of a source file without its folder must be that of some file.
 */
export function findDeadPaths(page: string, text: string, checkout: Checkout): readonly string[] {
  const prose = text.replaceAll(/^```.*?^```/gms, '');
  const spans = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  const commands = text.match(/^```sh\n.*?^```/gms) ?? [];
  const words = [...spans, ...commands].flatMap((code) => code.split(/[\s'"(){}[\],;|]+/));
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  const scripts = [...text.matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)].map(([, name = '']) => name);
  return [
    ...links.filter((target) => !leadsSomewhere(page, target)),
    ...words.filter((word) => isPathOfOurs(word, checkout) && !exists(word, checkout)),
    ...scripts.filter((name) => !checkout.scripts.has(name)).map((name) => `npm run ${name}`),
  ];
}

/** Web addresses are not asked. */
function leadsSomewhere(page: string, target: string): boolean {
  if (/^[a-z]+:/.test(target)) return true;
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : join(dirname(page), path);
  return existsSync(file) && (anchor === undefined || anchorsOf(readFileSync(file, 'utf8')).includes(anchor));
}

/** The anchors of headings, as the hosting site makes them. */
function anchorsOf(text: string): readonly string[] {
  const headings = text.replaceAll(/^```.*?^```/gms, '').matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  );
}

function isPathOfOurs(word: string, { folders }: Checkout): boolean {
  const [first = '', ...others] = word.split('/');
  if (others.length === 0) return /^[\w<>*.-]+\.(?:ts|tsx|mjs|sql)$/.test(word);
  return folders.has(first) && !word.includes('…');
}

function exists(word: string, { fileNames }: Checkout): boolean {
  const path = word.replace(/[.:]$/, '').replaceAll(/<[^>]*>/g, '*');
  if (!path.includes('/'))
    return path.includes('*')
      ? globSync(`{src,hub,console,test,bench,tools}/**/${path}`).length > 0
      : fileNames.has(path);
  const places = [path, join('src', path)];
  return path.includes('*') ? globSync(places).length > 0 : places.some((place) => existsSync(place));
}
