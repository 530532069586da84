import type { LocatedSkill } from '../catalog/locate.ts';
import type { FolderEntry, RefusedEntry } from '../model/folder.ts';
import { MAX_RESOURCE_BYTES } from '../model/limits.ts';
import { compareText } from '../model/order.ts';
import { decodeStrictly } from '../parse/decode.ts';
import { findInvisible } from '../parse/invisible.ts';
import { readInside } from '../platform/files/inside.ts';
import { listInside } from '../platform/files/list-inside.ts';
import { listScripts } from './scripts.ts';

/** A place in a file that somebody should look at before the skill is trusted. */
export interface Remark {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** Everything that a skill brings, for the person who decides whether to trust it. */
export interface SkillContents {
  /** Sorted by path. */
  readonly files: readonly FolderEntry[];
  /** Links and whatever else is no part of a skill. */
  readonly refused: readonly RefusedEntry[];
  readonly scripts: readonly string[];
  readonly toolsets: readonly string[];
  /** Lines of code that seem to use the network. */
  readonly network: readonly Remark[];
  /** Characters that a reader does not see. */
  readonly invisible: readonly Remark[];
}

/** Reads a skill as a careful person would; nothing of it is run. */
export function inspectContents(located: LocatedSkill): SkillContents {
  const { files, refused } = listInside(located.realDir);
  const texts = files.flatMap(({ path }) => readText(located.realDir, path));
  return {
    files: files.toSorted((a, b) => compareText(a.path, b.path)),
    refused,
    scripts: listScripts(located),
    toolsets: located.skill.toolsets,
    network: texts.filter(isCode).flatMap(findNetworkUse),
    invisible: texts.flatMap(findInvisibleCharacters),
  };
}

interface TextFile {
  readonly path: string;
  readonly text: string;
}

function readText(realDir: string, path: string): readonly TextFile[] {
  const content = readInside(realDir, path, { maxBytes: MAX_RESOURCE_BYTES });
  const text = content.ok && !content.bytes.includes(0) ? decodeStrictly(content.bytes) : undefined;
  return text === undefined ? [] : [{ path, text }];
}

/** Instructions are full of addresses that nobody opens. */
function isCode({ path }: TextFile): boolean {
  return !/\.(?:md|mdx|txt|rst|html?|css|svg|csv|xml)$/i.test(path);
}

/** A hint for people and no guard: whoever hides it well is not found. */
const NETWORK_USE =
  /\bhttps?:\/\/(?!(?:localhost|127\.0\.0\.1|json-schema\.org|www\.w3\.org)\b)|\b(?:curl|wget|ncat|netcat|ssh|scp|rsync|sftp|telnet)\s|\bfetch\s*\(|\b(?:requests|httpx|aiohttp|axios|got)\.\w+\(|\burllib\b|\bhttp\.client\b|\bsocket\.|\bnet\.(?:connect|createConnection)|\bhttps?\.(?:get|request)\(|\bWebSocket\b|\/dev\/tcp\//;
const LINE_CHARACTERS = 500;
const REMARKS_PER_FILE = 20;

function findNetworkUse({ path, text }: TextFile): readonly Remark[] {
  const remarks: Remark[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    const start = line.slice(0, LINE_CHARACTERS);
    if (NETWORK_USE.test(start)) remarks.push({ path, line: at + 1, text: start.trim() });
    if (remarks.length === REMARKS_PER_FILE) break;
  }
  return remarks;
}

function findInvisibleCharacters({ path, text }: TextFile): readonly Remark[] {
  return findInvisible(text).map(({ line, codePoint, kind }) => ({ path, line, text: `${codePoint} (${kind})` }));
}
