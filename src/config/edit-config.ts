import { isDeepStrictEqual } from 'node:util';

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
    const edited = editText(text, edit, yaml);
    if (!parseConfig(edited).ok || !keepsTheRest(text, edited, yaml)) {
      return fail('CONFIG_INVALID', `${file} is written in a way that cannot be edited safely; edit it by hand`);
    }
    return writeWhole(file, edited);
  });
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
  const commentsIn = (text: string): readonly string[] => text.match(/#.*/g) ?? [];
  const isCommented = commentsIn(before).every((comment) => commentsIn(after).includes(comment));
  return isCommented && isDeepStrictEqual(otherSections(before, yaml), otherSections(after, yaml));
}

function otherSections(text: string, yaml: Yaml): unknown {
  const whole: unknown = yaml.parse(text);
  const sections = typeof whole === 'object' && whole !== null ? Object.entries(whole) : [];
  return sections.filter(([key]) => key !== 'skills');
}

function openEditor(document: Document, { isAlias, isMap, isNode, isScalar, isSeq }: Yaml): ConfigEditor {
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
      list.items = list.items.filter((entry) => !holds(entry, item));
      put(settings(), key, list);
    },
  };
}
