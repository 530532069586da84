import { z } from 'zod';

import { parseJson } from '../../model/json.ts';
import { findPathFault } from '../../model/path-fault.ts';

/** Paths that a manifest names, relative to its plugin or marketplace; all of them stay inside it. */
export interface NamedPlaces {
  /** Skills or folders of skills. */
  readonly skills: readonly string[];
  /** Plugin folders, each with the skills that the marketplace lists for it. */
  readonly plugins: readonly NamedPlugin[];
  /** The name of the plugin that the manifest describes. */
  readonly name?: string | undefined;
  readonly problems: readonly string[];
}

export interface NamedPlugin {
  readonly name: string | undefined;
  readonly path: string;
  readonly skills: readonly string[] | undefined;
}

const MAX_NAMED = 500;

const paths = z.union([z.string().transform((path) => [path]), z.array(z.string()).max(MAX_NAMED)]).optional();
const pluginSchema = z.object({ name: z.string().optional(), skills: paths });
const packageSchema = z.object({ skills: z.unknown().optional() });
const marketplaceSchema = z.object({
  metadata: z.object({ pluginRoot: z.string().optional() }).optional(),
  plugins: z
    .array(z.object({ name: z.string().optional(), source: z.union([z.string(), z.looseObject({})]), skills: paths }))
    .max(MAX_NAMED),
});

/** The skills that a `plugin.json` (of any agent, or of Agent Plugins 1.0) names beyond those in `skills/`. */
export function parsePluginManifest(text: string): NamedPlaces {
  const parsed = pluginSchema.safeParse(parseJson(text));
  if (!parsed.success) return nothing(`it is not a plugin manifest: ${firstIssue(parsed.error)}`);
  const { places, problems } = resolveAll('', parsed.data.skills ?? []);
  return { skills: places, plugins: [], name: parsed.data.name, problems };
}

/** The skills that the field `skills` of a `package.json` names by their paths in the package. */
export function parsePackageManifest(text: string): NamedPlaces {
  const parsed = packageSchema.safeParse(parseJson(text));
  const named = parsed.success ? paths.safeParse(parsed.data.skills) : undefined;
  if (named?.success !== true) return nothing('the field skills of the package is not a list of paths');
  const all = named.data ?? [];
  // This field can also list skills of other packages.
  const elsewhere = all.filter((path) => /^[a-z][a-z+.-]*:/i.test(path));
  const { places, problems } = resolveAll(
    '',
    all.filter((path) => !elsewhere.includes(path)),
  );
  const notes = elsewhere.map((path) => `${path} is elsewhere; install it from there`);
  return { skills: places, plugins: [], problems: [...problems, ...notes] };
}

/** The plugins of a `marketplace.json` (of Claude Code, Codex, Copilot or Cursor) that are in the same repository. */
export function parseMarketplace(text: string): NamedPlaces {
  const parsed = marketplaceSchema.safeParse(parseJson(text));
  if (!parsed.success) return nothing(`it is not a marketplace: ${firstIssue(parsed.error)}`);
  const { plugins: listed, metadata } = parsed.data;
  const plugins: NamedPlugin[] = [];
  const problems: string[] = [];
  for (const { name: given, source: place, skills } of listed) {
    const name = given ?? 'without a name';
    const source = typeof place === 'string' ? place : findLocal(place);
    if (source === undefined) {
      problems.push(
        `the plugin ${name} is elsewhere; install ${typeof place === 'string' ? place : nameElsewhere(place)}`,
      );
      continue;
    }
    const root = source.startsWith('./') || source === '.' ? '' : (metadata?.pluginRoot ?? '');
    const path = resolvePlace(resolvePlace('', root) ?? '..', source);
    if (path === undefined) problems.push(`the plugin ${name} is outside the repository: ${source}`);
    else {
      const named = skills === undefined ? undefined : resolveAll('', skills);
      problems.push(...(named?.problems ?? []));
      plugins.push({ name: given, path, skills: named?.places });
    }
  }
  return { skills: [], plugins, problems };
}

type PluginSource = Readonly<Record<string, unknown>>;

/** Codex writes a folder of the same repository as an object. */
function findLocal({ source, path }: PluginSource): string | undefined {
  return source === 'local' && typeof path === 'string' ? path : undefined;
}

/** The address of a plugin that is not in this repository. */
function nameElsewhere({ source, repo, url, package: name, path }: PluginSource): string {
  const place = [repo, url, source === 'npm' && typeof name === 'string' ? `npm:${name}` : undefined].find(
    (text) => typeof text === 'string',
  );
  const folder = typeof path === 'string' ? ` (${path})` : '';
  return typeof place === 'string' ? `${place}${folder}` : 'it from there';
}

function nothing(problem: string): NamedPlaces {
  return { skills: [], plugins: [], problems: [problem] };
}

function firstIssue({ issues: [issue] }: z.ZodError): string {
  const where = issue?.path.join('.') ?? '';
  return where === '' ? 'it is not a JSON object with the expected fields' : `${where}: ${issue?.message}`;
}

function resolveAll(
  base: string,
  named: readonly string[],
): { readonly places: readonly string[]; readonly problems: readonly string[] } {
  const resolved = named.map((path) => ({ path, place: resolvePlace(base, path) }));
  return {
    places: resolved.flatMap(({ place }) => place ?? []),
    problems: resolved.flatMap(({ path, place }) => (place === undefined ? [`it names a path outside: ${path}`] : [])),
  };
}

/** `./a/` becomes `a`, `.` the folder itself; undefined for a path that leaves it. */
function resolvePlace(base: string, path: string): string | undefined {
  const plain = path
    .split('/')
    .filter((part, at) => part !== '.' && (part !== '' || at === 0))
    .join('/');
  const whole = [base, plain].filter((part) => part !== '').join('/');
  return whole === '' || findPathFault(whole) === undefined ? whole : undefined;
}
