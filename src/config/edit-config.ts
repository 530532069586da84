import { isDeepStrictEqual } from 'node:util';

import type { Document, YAMLMap } from 'yaml';

import type { PluginDefinition, SkillsSection } from '../model/config.ts';
import { MAX_OWN_CONFIG_BYTES } from '../model/limits.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { readOwnText, writeWhole } from '../platform/files/files.ts';
import { withLock } from '../platform/files/lock.ts';
import { collectComments, removeItems } from './edit-list.ts';
import { putPlugin, removePlugin } from './edit-plugins.ts';

type Yaml = typeof import('yaml');

/** Changes to the `skills:` section; comments in it stay, and the rest of the file does byte for byte. */
export interface ConfigEditor {
  /** `undefined` takes the setting back. */
  set<K extends keyof SkillsSection>(key: K, value: SkillsSection[K]): void;
  /** Adds to a list what is not in it yet. */
  add(key: keyof SkillsSection, item: string): void;
  remove(key: keyof SkillsSection, item: string): void;
  /** Writes a plugin's entry, over the one of the same name. */
  putPlugin(plugin: PluginDefinition): void;
  removePlugin(name: string): void;
}

/** Is told what the file says now: of itself, without what a project lays over it. */
export type ConfigEdit = (editor: ConfigEditor, now: SkillsSection) => void;

/** Edits a `config.yaml` under its lock, creating it if need be. A file that is not valid is not touched. */
export function editConfig(file: string, edit: ConfigEdit): Promise<Outcome<EditedConfig>> {
  return withLock(file, async () => {
    const planned = await planConfigEdit(file, edit);
    if (!planned.ok) return planned;
    const written = writeWhole(file, planned.text);
    return written.ok ? { ...written, changed: planned.changed } : written;
  });
}

export interface EditedConfig {
  readonly path: string;
  /** The settings that are different now. */
  readonly changed: readonly (keyof SkillsSection)[];
}

export interface PlannedConfig extends Pick<EditedConfig, 'changed'> {
  readonly text: string;
}

/** What a `config.yaml` would be after an edit. Whoever writes it holds the file's lock from before this call. */
export async function planConfigEdit(file: string, edit: ConfigEdit): Promise<Outcome<PlannedConfig>> {
  // Loaded here, so that reading skills does not pay for changing the configuration.
  const [yaml, { parseConfig }] = await Promise.all([import('yaml'), import('./parse-config.ts')]);
  const read = readOwnText(file);
  if (!read.ok) return fail('CONFIG_INVALID', read.message);
  const text = read.text ?? '';
  const parsed = parseConfig(text, MAX_OWN_CONFIG_BYTES);
  if (!parsed.ok) {
    const place = `${file}:${parsed.line}`;
    return fail('CONFIG_INVALID', `${place}: ${parsed.message}; mend the file first, nothing was changed`);
  }
  const edited = editText(text, (editor) => edit(editor, parsed.section), yaml);
  const after = parseConfig(edited, MAX_OWN_CONFIG_BYTES);
  if (!after.ok || !keepsTheRest(text, edited, yaml)) {
    return fail('CONFIG_INVALID', `${file} is written in a way that cannot be edited safely; edit it by hand`);
  }
  return { ok: true, text: edited, changed: findChanged(parsed.section, after.section) };
}

function findChanged(before: SkillsSection, after: SkillsSection): readonly (keyof SkillsSection)[] {
  // The parser knows no other keys than these and ones that nobody edits.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof SkillsSection)[];
  return keys.filter((key) => !isDeepStrictEqual(before[key], after[key]));
}

/** Only the `skills:` section is written anew where it stands apart; otherwise the whole text is. */
function editText(text: string, edit: (editor: ConfigEditor) => void, yaml: Yaml): string {
  const whole = yaml.parseDocument(text);
  const range = findSection(whole, text, yaml);
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const [before, after] = range === undefined ? ['', ''] : [text.slice(0, range.start), text.slice(range.end)];
  const part =
    range === undefined ? whole : yaml.parseDocument(text.slice(range.start, range.end).replaceAll('\r\n', '\n'));
  edit(openEditor(part, yaml));
  const edited = part.contents === null ? '' : part.toString({ lineWidth: 0 }).trimEnd();
  const opening = before === '' || before.endsWith('\n') ? '' : lineEnd;
  const closing = edited === '' || /^\r?\n/.test(after) ? '' : lineEnd;
  return `${before}${opening}${edited.replaceAll('\n', lineEnd)}${closing}${after}`;
}

interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Where the `skills:` entry stands, or would; undefined where it cannot be cut out of the rest. */
function findSection({ contents }: Document, text: string, yaml: Yaml): TextRange | undefined {
  const end = { start: text.length, end: text.length };
  // Markers end a document before its text ends.
  if (/^(?:---|\.\.\.|%|\?)/m.test(text)) return undefined;
  if (contents === null) return end;
  if (!yaml.isMap(contents) || contents.flow === true || !isAtMargin(contents.range?.[0] ?? 0, text)) return undefined;
  const pair = contents.items.find(({ key }) => yaml.isScalar(key) && key.value === 'skills');
  if (pair === undefined) return end;
  const start = yaml.isNode(pair.key) ? (pair.key.range?.[0] ?? 0) : 0;
  const stop = yaml.isNode(pair.value) ? (pair.value.range?.[1] ?? start) : start;
  const section = dropMarginComments(text.slice(start, stop));
  // Anchors and aliases tie sections together.
  return /[&*]/.test(section) ? undefined : { start, end: start + section.length };
}

/** Comments at the margin behind a section belong to what follows. */
function dropMarginComments(section: string): string {
  const lines = section.split('\n');
  while (lines.length > 1 && /^(?:#.*|\s*)$/.test(lines.at(-1) ?? '')) lines.pop();
  return lines.join('\n').replace(/\r$/, '');
}

function isAtMargin(offset: number, text: string): boolean {
  return offset === 0 || text[offset - 1] === '\n';
}

/** No edit may change another section, or lose a comment. */
function keepsTheRest(before: string, after: string, yaml: Yaml): boolean {
  const kept = new Set(readComments(after, yaml));
  const isCommented = readComments(before, yaml).every((comment) => kept.has(comment));
  return isCommented && isDeepStrictEqual(otherSections(before, yaml), otherSections(after, yaml));
}

function readComments(text: string, yaml: Yaml): readonly string[] {
  const document = yaml.parseDocument(text);
  const all = [document.commentBefore, ...collectComments(document.contents, yaml), document.comment];
  return all.flatMap((comment) => comment?.split('\n') ?? []).map((line) => line.trim());
}

function otherSections(text: string, yaml: Yaml): unknown {
  const whole: unknown = yaml.parse(text);
  const sections = typeof whole === 'object' && whole !== null ? Object.entries(whole) : [];
  return sections.filter(([key]) => key !== 'skills');
}

function openEditor(document: Document, yaml: Yaml): ConfigEditor {
  const { isAlias, isMap, isNode, isScalar, isSeq } = yaml;
  /** The value of an entry; a copy in place of an alias, so that a change does not reach what else uses the anchor. */
  const valueOf = (map: unknown, key: string): unknown => {
    const value: unknown = isMap(map) ? map.get(key, true) : undefined;
    return isAlias(value) ? document.createNode(value.toJS(document)) : value;
  };
  const put = (map: YAMLMap, key: string, value: unknown): void => {
    const node = isNode(value) ? value : document.createNode(value);
    const previous: unknown = map.get(key, true);
    // Comments hang on the value that they stand beside, even on an empty one.
    if (isScalar(previous))
      node.commentBefore = previous.commentBefore ?? previous.comment ?? node.commentBefore ?? null;
    if (previous !== node) map.set(key, node);
  };
  const root = (): YAMLMap => {
    if (isMap(document.contents)) return document.contents;
    const created = document.createNode({});
    document.contents = created;
    return created;
  };
  const settings = (): YAMLMap => {
    const skills = valueOf(root(), 'skills');
    const map = isMap(skills) ? skills : document.createNode({});
    put(root(), 'skills', map);
    return map;
  };
  const hasSettings = (): boolean => isMap(valueOf(document.contents, 'skills'));
  const holds = (entry: unknown, item: string): boolean => isScalar(entry) && String(entry.value) === item;
  return {
    set(key, value) {
      if (value !== undefined) put(settings(), key, value);
      else if (hasSettings()) settings().delete(key);
    },
    add(key, item) {
      const list = valueOf(settings(), key);
      if (!isSeq(list)) put(settings(), key, [item]);
      else if (!list.items.some((entry) => holds(entry, item))) {
        list.add(document.createNode(item));
        put(settings(), key, list);
      }
    },
    remove(key, item) {
      const list = hasSettings() ? valueOf(settings(), key) : undefined;
      if (!isSeq(list)) return;
      removeItems(list, (entry) => holds(entry, item), yaml);
      put(settings(), key, list);
    },
    putPlugin(plugin) {
      const value = valueOf(settings(), 'plugins');
      const list = isSeq(value) ? value : document.createNode([]);
      putPlugin(list, plugin, { document, yaml });
      put(settings(), 'plugins', list);
    },
    removePlugin(name) {
      const list = hasSettings() ? valueOf(settings(), 'plugins') : undefined;
      if (!isSeq(list)) return;
      removePlugin(list, name, { document, yaml });
      put(settings(), 'plugins', list);
    },
  };
}
