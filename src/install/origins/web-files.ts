import { fail, type Outcome } from '../../model/outcome.ts';
import type { Repository, TreeEntry } from '../../platform/repository/repository.ts';
import type { SkillFiles } from './web-artifacts.ts';

type Fetched = Promise<Outcome<{ readonly files: SkillFiles }>>;

export interface WebFiles {
  readonly files: Repository;
  /** Skills are fetched ahead in this order. */
  readonly expect: (names: readonly string[]) => void;
}

/** So many skills are fetched while one is read. */
const AHEAD = 16;

/**
 * The skills of an index as files, in a folder each. A skill is fetched when its folder is listed, and forgotten when
 * another one is: an index may offer more than fits into memory.
 */
export function openWebFiles(fetchSkill: (name: string) => Fetched, close: () => void): WebFiles {
  const waiting: string[] = [];
  const ahead = new Map<string, Fetched>();
  let current: { readonly name: string; readonly files: SkillFiles } | undefined;
  const fetchAhead = (): void => {
    while (ahead.size < AHEAD && waiting.length > 0) {
      const name = waiting.shift();
      if (name !== undefined && !ahead.has(name)) ahead.set(name, fetchSkill(name));
    }
  };
  const take = async (name: string): Promise<Outcome<{ readonly files: SkillFiles }>> => {
    if (current?.name === name) return { ok: true, files: current.files };
    current = undefined;
    const fetching = ahead.get(name) ?? fetchSkill(name);
    ahead.delete(name);
    fetchAhead();
    const fetched = await fetching;
    if (fetched.ok) current = { name, files: fetched.files };
    return fetched;
  };
  const listTree: Repository['listTree'] = async (path = '') => {
    const [name = '', ...inner] = path.split('/');
    if (name === '') return fail('INSTALL_FAILED', 'an index has no files of its own; name a skill');
    const taken = await take(name);
    if (!taken.ok) return taken;
    const folder = inner.join('/');
    const entries = taken.files.entries.filter((entry) => folder === '' || entry.path.startsWith(`${folder}/`));
    return { ok: true, entries: entries.map((entry): TreeEntry => inFolder(name, entry)) };
  };
  const end = async (): Promise<void> => {
    waiting.length = 0;
    close();
    await Promise.all(ahead.values());
  };
  return {
    expect(names) {
      waiting.push(...names);
      fetchAhead();
    },
    files: {
      commit: undefined,
      notices: [],
      listTree,
      async readBlob(id, maxBytes) {
        const at = id.indexOf('/');
        const taken = await take(id.slice(0, at));
        return taken.ok ? taken.files.read(id.slice(at + 1), maxBytes) : taken;
      },
      close: end,
      [Symbol.asyncDispose]: end,
    },
  };
}

function inFolder(name: string, entry: Omit<TreeEntry, 'id'>): TreeEntry {
  const path = `${name}/${entry.path}`;
  return { ...entry, path, id: path };
}
