import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { onTestFinished } from 'vitest';

/** A link in a tree: `link('../elsewhere')`. */
export interface Link {
  readonly target: string;
}

export function link(target: string): Link {
  return { target };
}

/** Files by path: text, bytes, or a link. A path that ends in `/` is an empty directory. */
export type Tree = Readonly<Record<string, string | Uint8Array | Link>>;

/** A temporary directory (its real path) with these files; gone when the test is. */
export function makeTree(tree: Tree = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'skillplane-test-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeTree(root, tree);
  return root;
}

export function writeTree(root: string, tree: Tree): void {
  for (const [path, content] of Object.entries(tree)) {
    const full = join(root, path);
    if (path.endsWith('/')) {
      mkdirSync(full, { recursive: true });
      continue;
    }
    mkdirSync(dirname(full), { recursive: true });
    if (typeof content === 'string' || content instanceof Uint8Array) writeFileSync(full, content);
    else symlinkSync(content.target, full);
    if (typeof content === 'string' && content.startsWith('#!')) chmodSync(full, 0o755);
  }
}

/** A SKILL.md with these frontmatter fields, each value quoted as JSON (which is YAML). */
export function skillText(fields: Readonly<Record<string, unknown>>, body = '# Title\n\nInstructions.\n'): string {
  const lines = Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return `---\n${lines.join('\n')}\n---\n\n${body}`;
}
