import { join } from 'node:path';

import { isFile, listDirectory } from '../../platform/files/files.ts';
import type { HostPlace } from '../host.ts';
import { objectOf, readJsonSettings, textsOf } from '../seeing/settings-file.ts';
import { geminiFolder } from './folder.ts';

const MANIFEST = 'gemini-extension.json';

/** The folders of the extensions that are on in this directory. Seen in 0.61.0. */
export function activeExtensions(place: HostPlace): readonly string[] {
  const folder = join(geminiFolder(place), 'extensions');
  const listing = listDirectory(folder);
  if (listing.state !== 'listed') return [];
  const switches = readJsonSettings(join(folder, 'extension-enablement.json')).values;
  return listing.entries
    .map(({ name }) => join(folder, name))
    .filter((dir) => isFile(join(dir, MANIFEST)))
    .filter((dir) => {
      const { name } = readJsonSettings(join(dir, MANIFEST)).values;
      return isOn(typeof name === 'string' ? textsOf(objectOf(switches[name])['overrides']) : [], place.cwd);
    });
}

/** Paths, with `!` those where it is off; the last that fits counts, and a star stands for everything below. */
function isOn(rules: readonly string[], cwd: string): boolean {
  const rule = rules.findLast((each) => fits(each.replace(/^!/, ''), cwd));
  return rule === undefined || !rule.startsWith('!');
}

function fits(pattern: string, cwd: string): boolean {
  const path = pattern.replace(/\*$/, '');
  return `${cwd}/`.startsWith(path) && (path !== pattern || `${cwd}/` === path);
}
