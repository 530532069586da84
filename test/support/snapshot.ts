import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Every path below a folder with its bytes and mode, or the target of a link. `leftOut` names entries of the top. */
export function snapshotTree(dir: string, leftOut: readonly string[] = []): Readonly<Record<string, string>> {
  const found = new Map<string, string>();
  const visit = (folder: string, prefix: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const [path, name] = [join(folder, entry.name), `${prefix}${entry.name}`];
      if (leftOut.includes(name)) continue;
      if (entry.isSymbolicLink()) found.set(name, `-> ${readlinkSync(path)}`);
      else if (entry.isDirectory()) {
        found.set(`${name}/`, '');
        visit(path, `${name}/`);
      } else found.set(name, `${(statSync(path).mode & 0o777).toString(8)} ${readFileSync(path, 'utf8')}`);
    }
  };
  visit(dir, '');
  return Object.fromEntries(found);
}
