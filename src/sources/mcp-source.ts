import { aFunction, aString, anObject, checkCall, optionsOf } from '../model/check-arguments.ts';
import { isPlainObject, type PlainObject } from '../model/foreign-values.ts';
import { MAX_PUBLISHED_BYTES, MAX_PUBLISHED_FILES } from '../model/limits.ts';
import type { ListedFile, SkillSource, SourceSkill, UnavailableSkill } from '../model/skill-source.ts';
import type { SourceOptions } from './memory-source.ts';

/** A client of the Skills extension of MCP, such as `new SkillsClient(client)` of `@modelcontextprotocol/client/ext/skills`. */
export interface McpSkillsClient<Entry = never> {
  /** A page of the entries that the server lists. */
  list(
    params: { cursor?: string },
    options: { signal: AbortSignal },
  ): Promise<{
    readonly skills: readonly Entry[];
    readonly invalid?: readonly unknown[];
    readonly nextCursor?: string;
  }>;
  /** The bytes of a file of an entry, by its URI. */
  read(entry: Entry, uri: string, options: { signal: AbortSignal }): Promise<{ readonly bytes: Uint8Array }>;
}

const OPTIONS = optionsOf<SourceOptions>({ id: aString });
const MANIFEST = '/SKILL.md';
/** A server that never ends its list is cut. */
const MAX_PAGES = 1_000;

/**
 * The skills of an MCP server (SEP-2640). Listing them reads none; a skill is read when it is used, and every file of it must have
 * the digest and size that the server listed. Give the server a name by `id`: it is what a person sees.
 */
export function mcpSource<Entry>(client: McpSkillsClient<Entry>, options: SourceOptions = {}): SkillSource {
  checkCall('mcpSource(client, options?)', { client: [client, aClient], options: [options, OPTIONS] });
  let current: ReadonlyMap<string, ReadEntry<Entry>> = new Map();
  return {
    id: options.id ?? 'mcp',
    async list(signal) {
      const [entries, found]: [Map<string, ReadEntry<Entry>>, (SourceSkill | UnavailableSkill)[]] = [new Map(), []];
      let cursor: string | undefined;
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const answer = await client.list(cursor === undefined ? {} : { cursor }, { signal });
        const invalid = answer.invalid ?? [];
        found.push(...invalid.map((one, at) => ({ id: `invalid-${page}-${at}`, problem: explainInvalid(one) })));
        for (const entry of answer.skills) {
          const read = readEntry(entry);
          // Names are labels: of two with one name, the second is told apart by the whole path of its URI.
          const id = entries.has(read.name) ? read.path : read.name;
          if (read.problem === undefined) entries.set(id, read);
          found.push(
            read.problem === undefined
              ? { id, files: read.files, frontmatter: read.frontmatter }
              : { id, problem: read.problem },
          );
        }
        cursor = answer.nextCursor;
        if (cursor === undefined) {
          current = entries;
          return found;
        }
      }
      throw new Error(`its list has more than ${MAX_PAGES} pages`);
    },
    async read(skill, path, signal) {
      const one = current.get(skill);
      const uri = one?.uris.get(path);
      if (one === undefined || uri === undefined) throw new Error('the server does not list it');
      return (await client.read(one.entry, uri, { signal })).bytes;
    },
  };
}

function aClient(value: unknown, subject: string): string | undefined {
  const fault = anObject(value, subject);
  if (fault !== undefined || !isPlainObject(value)) return fault;
  return aFunction(value['list'], `${subject}.list`) ?? aFunction(value['read'], `${subject}.read`);
}

interface ReadEntry<Entry> {
  readonly entry: Entry;
  readonly name: string;
  /** The path of its URI, as one segment. */
  readonly path: string;
  readonly frontmatter: PlainObject;
  readonly files: readonly ListedFile[];
  readonly uris: ReadonlyMap<string, string>;
  readonly problem?: string | undefined;
}

function readEntry<Entry>(entry: Entry): ReadEntry<Entry> {
  const fields: PlainObject = isPlainObject(entry) ? entry : {};
  const { uri, frontmatter: given, resources } = fields;
  const frontmatter = isPlainObject(given) ? given : {};
  const address = typeof uri === 'string' ? uri : '';
  const root = address.slice(0, -MANIFEST.length);
  const path = root.replace(/^[^:]*:\/*/, '').replaceAll('/', '.') || 'nameless';
  const name = typeof frontmatter['name'] === 'string' ? frontmatter['name'] : path;
  const uris = new Map<string, string>();
  const result = { entry, name, path, frontmatter, uris };
  const refuse = (problem: string): ReadEntry<Entry> => ({ ...result, files: [], problem });
  if (!address.endsWith(MANIFEST)) return refuse('the server lists it without the URI of a SKILL.md');
  if (resources === 'dynamic') {
    uris.set('SKILL.md', address);
    return { ...result, files: [{ path: 'SKILL.md' }] };
  }
  if (!Array.isArray(resources)) return refuse('the server lists it without its files');
  if (resources.length > MAX_PUBLISHED_FILES) return refuse(`it has more than ${MAX_PUBLISHED_FILES} files`);
  const files: ListedFile[] = [];
  let total = 0;
  for (const resource of resources as readonly unknown[]) {
    const file = readResource(resource, root);
    if (file === undefined) return refuse('the server lists a file of it without URI, digest and size');
    files.push(file.listed);
    uris.set(file.listed.path, file.uri);
    total += file.listed.size ?? 0;
  }
  return total > MAX_PUBLISHED_BYTES ? refuse(`it has more than ${MAX_PUBLISHED_BYTES} bytes`) : { ...result, files };
}

/** A file with its path below the skill. A path that leaves it is refused where all paths are. */
function readResource(
  resource: unknown,
  root: string,
): { readonly listed: ListedFile; readonly uri: string } | undefined {
  if (!isPlainObject(resource)) return undefined;
  const { uri, digest, size } = resource;
  if (typeof uri !== 'string' || typeof digest !== 'string' || typeof size !== 'number') return undefined;
  if (!uri.startsWith(`${root}/`)) return undefined;
  const path = decode(uri.slice(root.length + 1));
  return path === undefined ? undefined : { listed: { path, digest, size }, uri };
}

function decode(path: string): string | undefined {
  try {
    return path.split('/').map(decodeURIComponent).join('/');
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function explainInvalid(invalid: unknown): string {
  const reason = isPlainObject(invalid) ? invalid['reason'] : undefined;
  return `the server lists it wrongly: ${typeof reason === 'string' ? reason : 'no reason is given'}`;
}
