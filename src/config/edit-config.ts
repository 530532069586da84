import type { Document } from 'yaml';

import type { SkillsSection } from '../model/config.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { readOwnText, writeWhole } from '../platform/files.ts';
import { withLock } from '../platform/lock.ts';

/** Changes to the `skills:` section; everything else in the file, comments included, stays as it is. */
export interface ConfigEditor {
  set<K extends keyof SkillsSection>(key: K, value: SkillsSection[K]): void;
  /** Adds to a list what is not in it yet. */
  add(key: keyof SkillsSection, item: string): void;
  remove(key: keyof SkillsSection, item: string): void;
}

/** Edits a `config.yaml` under its lock, creating it if need be. A file that is not valid is not touched. */
export function editConfig(
  file: string,
  edit: (editor: ConfigEditor) => void,
): Promise<Outcome<{ readonly path: string }>> {
  return withLock(file, async () => {
    // Loaded here, so that reading skills does not pay for changing the configuration.
    const [yaml, { parseConfig }] = await Promise.all([import('yaml'), import('./parse-config.ts')]);
    const read = readOwnText(file);
    if (!read.ok) return fail('CONFIG_INVALID', read.message);
    const text = read.text ?? '';
    const parsed = parseConfig(text);
    if (!parsed.ok) {
      return fail(
        'CONFIG_INVALID',
        `${file}:${parsed.line}: ${parsed.message}; mend the file first, nothing was changed`,
      );
    }
    const document = yaml.parseDocument(text);
    edit(openEditor(document, yaml));
    return writeWhole(file, document.toString({ lineWidth: 0 }));
  });
}

function openEditor(document: Document, { isScalar, isSeq }: typeof import('yaml')): ConfigEditor {
  const itemsOf = (key: string): unknown => document.getIn(['skills', key], true);
  return {
    set(key, value) {
      if (value === undefined) document.deleteIn(['skills', key]);
      else document.setIn(['skills', key], document.createNode(value));
    },
    add(key, item) {
      const list = itemsOf(key);
      if (!isSeq(list)) document.setIn(['skills', key], document.createNode([item]));
      else if (!list.items.some((entry) => isScalar(entry) && entry.value === item))
        list.add(document.createNode(item));
    },
    remove(key, item) {
      const list = itemsOf(key);
      if (!isSeq(list)) return;
      list.items = list.items.filter((entry) => !(isScalar(entry) && entry.value === item));
    },
  };
}
