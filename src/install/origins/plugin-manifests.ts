import { z } from 'zod';

import { findPathFault } from '../../model/path-fault.ts';

/** Paths that a manifest names, relative to its plugin or marketplace; all of them stay inside it. */
export interface NamedPlaces {
  /** Skills or folders of skills. */
  readonly skills: readonly string[];
  /** Plugin folders, each with the skills that the marketplace lists for it. */
  readonly plugins: readonly { readonly path: string; readonly skills: readonly string[] | undefined }[];
  readonly problems: readonly string[];
}

const MAX_NAMED = 500;

const paths = z.union([z.string().transform((path) => [path]), z.array(z.string()).max(MAX_NAMED)]).optional();
const pluginSchema = z.object({ skills: paths });
const marketplaceSchema = z.object({
  metadata: z.object({ pluginRoot: z.string().optional() }).optional(),
  plugins: z
    .array(z.object({ name: z.string().optional(), source: z.union([z.string(), z.looseObject({})]), skills: paths }))
    .max(MAX_NAMED),
});

/** The skills that a `plugin.json` (Claude's or Agent Plugins') names beyond those in `skills/`. */
export function parsePluginManifest(text: string): NamedPlaces {
  const parsed = pluginSchema.safeParse(parseJson(text));
  if (!parsed.success) return nothing(`it is not a plugin manifest: ${firstIssue(parsed.error)}`);
  const { places, problems } = resolveAll('', parsed.data.skills ?? []);
  return { skills: places, plugins: [], problems };
}

/** The plugins of a `.claude-plugin/marketplace.json` that are in the same repository. */
export function parseMarketplace(text: string): NamedPlaces {
  const parsed = marketplaceSchema.safeParse(parseJson(text));
  if (!parsed.success) return nothing(`it is not a marketplace: ${firstIssue(parsed.error)}`);
  const { plugins: listed, metadata } = parsed.data;
  const plugins: { readonly path: string; readonly skills: readonly string[] | undefined }[] = [];
  const problems: string[] = [];
  for (const { name = 'without a name', source, skills } of listed) {
    if (typeof source !== 'string') {
      problems.push(`the plugin ${name} is in another repository; install it from there`);
      continue;
    }
    const root = source.startsWith('./') || source === '.' ? '' : (metadata?.pluginRoot ?? '');
    const path = resolvePlace(resolvePlace('', root) ?? '..', source);
    if (path === undefined) problems.push(`the plugin ${name} is outside the repository: ${source}`);
    else {
      const named = skills === undefined ? undefined : resolveAll('', skills);
      problems.push(...(named?.problems ?? []));
      plugins.push({ path, skills: named?.places });
    }
  }
  return { skills: [], plugins, problems };
}

function nothing(problem: string): NamedPlaces {
  return { skills: [], plugins: [], problems: [problem] };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
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
