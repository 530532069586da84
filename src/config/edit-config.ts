import type { Document, YAMLMap } from 'yaml';

import type { SkillsSection } from '../model/config.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { readOwnText, writeWhole } from '../platform/files.ts';
import { withLock } from '../platform/lock.ts';

type Yaml = typeof import('yaml');

/** Changes to the `skills:` section; comments in it stay, and the rest of the file does byte for byte. */
export interface ConfigEditor {
  /** `undefined` takes the setting back. */
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
      const place = `${file}:${parsed.line}`;
      return fail('CONFIG_INVALID', `${place}: ${parsed.message}; mend the file first, nothing was changed`);
    }
    return writeWhole(file, editSection(text, edit, yaml));
  });
}

/** The text with its `skills:` section edited: only that part of it is written anew. */
function editSection(text: string, edit: (editor: ConfigEditor) => void, yaml: Yaml): string {
  const whole = yaml.parseDocument(text);
  const { start, end } = findSection(whole, text.length, yaml);
  const section = yaml.parseDocument(text.slice(start, end).replaceAll('\r\n', '\n'));
  edit(openEditor(section, whole, yaml));
  const edited = yaml.isMap(section.contents) ? section.toString({ lineWidth: 0 }).trimEnd() : '';
  const [before, after] = [text.slice(0, start), text.slice(end)];
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const opening = before === '' || before.endsWith('\n') ? '' : lineEnd;
  const closing = edited === '' || /^\r?\n/.test(after) ? '' : lineEnd;
  return `${before}${opening}${edited.replaceAll('\n', lineEnd)}${closing}${after}`;
}

interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Where the `skills:` entry stands; the end of the text where there is none. */
function findSection({ contents }: Document, length: number, yaml: Yaml): TextRange {
  if (!yaml.isMap(contents)) return { start: length, end: length };
  if (contents.flow === true) return { start: 0, end: length };
  const pair = contents.items.find(({ key }) => yaml.isScalar(key) && key.value === 'skills');
  if (pair === undefined) return { start: length, end: length };
  const key = yaml.isNode(pair.key) ? pair.key.range : undefined;
  const value = yaml.isNode(pair.value) ? pair.value.range : undefined;
  return { start: key?.[0] ?? length, end: value?.[1] ?? length };
}

function openEditor(section: Document, whole: Document, { isAlias, isMap, isScalar, isSeq }: Yaml): ConfigEditor {
  const settings = (): YAMLMap => {
    const skills = section.get('skills', true);
    if (isMap(skills)) return skills;
    const created = section.createNode({});
    section.set('skills', created);
    return created;
  };
  const items = (key: string): readonly unknown[] => {
    const list = settings().get(key, true);
    const resolved = isAlias(list) ? list.resolve(whole) : list;
    return isSeq(resolved) ? resolved.items : [];
  };
  const holds = (entry: unknown, item: string): boolean => isScalar(entry) && entry.value === item;
  return {
    set(key, value) {
      if (value !== undefined) settings().set(key, section.createNode(value));
      else if (isMap(section.get('skills', true))) settings().delete(key);
    },
    add(key, item) {
      const current = items(key);
      if (current.some((entry) => holds(entry, item))) return;
      const list = settings().get(key, true);
      if (isSeq(list)) list.add(section.createNode(item));
      else
        settings().set(
          key,
          section.createNode([...current.map((entry) => (isScalar(entry) ? entry.value : entry)), item]),
        );
    },
    remove(key, item) {
      if (!isMap(section.get('skills', true))) return;
      const list = settings().get(key, true);
      if (isSeq(list)) list.items = list.items.filter((entry) => !holds(entry, item));
    },
  };
}
