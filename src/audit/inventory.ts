import { compareText } from '../model/order.ts';
import { lineOf, type ReadableText } from './reading/examine-text.ts';
import type { FindingPlace } from './report.ts';

/** Where a name is mentioned. */
export interface Mention extends FindingPlace {
  readonly line?: number;
}

/** A host or a command, and the first places that mention it. */
export interface Mentioned {
  readonly name: string;
  readonly count: number;
  readonly places: readonly Mention[];
}

export interface AuditedScript {
  readonly path: string;
  /** For example `python3`; undefined if the file does not say what runs it. */
  readonly interpreter: string | undefined;
}

/** The hosts and commands that a skill mentions, sorted by name. */
export interface MentionedNames {
  readonly hosts: readonly Mentioned[];
  readonly commands: readonly Mentioned[];
  /** The number of mentions of further hosts and commands, which are only counted because there are so many. */
  readonly unlistedMentions: number;
}

/** Collects the hosts and commands that texts mention. */
export interface Mentions {
  addText(readable: ReadableText, isShell: boolean): void;
  /** Whether a text runs this document (`bash setup.txt`), or a script names it and so may run it in some other way. */
  isRun(path: string): boolean;
  close(): MentionedNames;
}

/** `documents` are the paths of the files that are named like documents. */
export function openMentions(documents: readonly string[] = []): Mentions {
  const names = new Set(documents.map(lastWordOf));
  const hosts = new Map<string, Mentioned>();
  const commands = new Map<string, Mentioned>();
  const run = new Set<string>();
  let unlistedMentions = 0;
  const note = (all: Map<string, Mentioned>, { name, offset }: Named, readable: ReadableText): void => {
    const known = all.get(name);
    if (known === undefined && all.size >= MAX_NAMES) unlistedMentions += 1;
    else all.set(name, addPlace(known ?? { name, count: 0, places: [] }, readable, offset));
  };
  return {
    addText(readable, isShell) {
      for (const host of findHosts(readable.folded.text)) note(hosts, host, readable);
      const { text } = readable.folded;
      if (names.size > 0)
        for (const { 1: path = '' } of text.matchAll(RUN)) if (names.has(lastWordOf(path))) run.add(lastWordOf(path));
      // Many scripts name the SKILL.md to which they belong.
      if (names.size > 1 && readable.regions.at(0).context === 'code')
        for (const [word] of text.matchAll(FILE_NAME))
          if (names.has(lastWordOf(word)) && word.toLowerCase() !== 'skill.md') run.add(lastWordOf(word));
      for (const command of findCommands(readable, isShell)) note(commands, command, readable);
    },
    isRun: (path) => run.has(lastWordOf(path)),
    close: () => ({ hosts: sortMentions(hosts), commands: sortMentions(commands), unlistedMentions }),
  };
}

const MAX_NAMES = 1000;

/** The end of a path as a script would write it, in lower case: a name may have blanks and other letters. */
function lastWordOf(path: string): string {
  return (/[\w.-]*$/.exec(path)?.[0] ?? '').toLowerCase();
}

const MAX_PLACES = 5;

function addPlace({ name, count, places }: Mentioned, readable: ReadableText, offset: number): Mentioned {
  if (places.length >= MAX_PLACES) return { name, count: count + 1, places };
  const line = lineOf(readable, offset);
  const mention = line === undefined ? readable.place : { ...readable.place, line };
  return { name, count: count + 1, places: [...places, mention] };
}

function sortMentions(all: ReadonlyMap<string, Mentioned>): readonly Mentioned[] {
  return [...all.values()].sort((a, b) => compareText(a.name, b.name));
}

interface Named {
  readonly name: string;
  readonly offset: number;
}

const ADDRESS =
  /\b(?:https?|wss?|ftp|ssh|git):\/\/(?:[^\s/@"'`<>]{1,80}@)?((?:[\w-]{1,63}\.){1,8}[a-z0-9-]{2,63}|localhost)(?![\w.]{0,80}[{$])|\bgit@((?:[\w-]{1,63}\.){1,8}[a-z]{2,24}):/gi;

function* findHosts(text: string): Generator<Named> {
  for (const match of text.matchAll(ADDRESS)) yield nameIn(match, match[1] ?? match[2] ?? '');
}

const SHELL_LANGUAGES = /^(?:sh|bash|zsh|shell|console|terminal|shell-session|fish|powershell|ps1|pwsh|cmd|bat)$/;
/** The first word of a command, at the start of a line or after an operator. */
const COMMAND =
  /(?:^|\n|\||&&|;|\$\()\s?(?:[$#>%] )?(?:sudo )?(?:[A-Z_][A-Z0-9_]{0,40}=\S{0,80} ){0,3}([a-z][\w.+-]{0,40})(?=[\s;|&)]|$)/g;
/** A program that code starts by name. */
const STARTED =
  /\b(?:subprocess\.\w{2,14}|os\.system|os\.popen|shutil\.which|spawn(?:Sync)?|exec(?:File)?(?:Sync)?|Deno\.Command|Bun\.spawn)\(\s?\[?\s?["'`]([a-z][\w.+-]{0,40})(?=["'`\s])/g;
/** A file that a command runs or makes executable. */
const RUN =
  /(?:^|[\s;&|(`"'])(?:(?:ba|z|da|k|fi)?sh|source|\.|python[\d.]{0,4}|node|deno run|bun|perl|ruby|php|lua|pwsh|powershell|osascript|chmod)\s(?:(?:-[\w-]{1,20}|[+\w]{1,12})\s){0,6}["']?([\w${}./~-]{1,200})/g;
/** A word that may be the name of a document: `notes.txt`, `LICENSE`. */
const FILE_NAME = /[\w-]{0,100}\.[\w.-]{1,100}|\b[A-Z][A-Z_-]{2,60}\b/g;
/** Bounded like the patterns of the rules. */
export const MENTION_PATTERNS: readonly RegExp[] = [ADDRESS, COMMAND, STARTED, RUN, FILE_NAME];

const SHELL_WORDS: ReadonlySet<string> = new Set(
  'if then else elif fi for while until do done case esac in function return exit echo printf local export set unset cd true false test read shift break continue eval exec source trap declare readonly let wait and or not end begin the a an is to with from import print const var def class use this you your it of on by as at try catch'.split(
    ' ',
  ),
);

function* findCommands({ folded: { text }, regions }: ReadableText, isShell: boolean): Generator<Named> {
  for (const match of text.matchAll(STARTED)) yield nameIn(match, match[1] ?? '');
  for (const [at, { start, context, language }] of regions.all.entries()) {
    if (context === 'fence' ? !SHELL_LANGUAGES.test(language) : !(context === 'code' && isShell)) continue;
    const from = context === 'fence' ? text.indexOf('\n', start) : start;
    const to = regions.all[at + 1]?.start ?? text.length;
    if (from === -1 || from >= to) continue;
    for (const match of text.slice(from, to).matchAll(COMMAND)) {
      const { name, offset } = nameIn(match, match[1] ?? '');
      if (!SHELL_WORDS.has(name)) yield { name, offset: from + offset };
    }
  }
}

function nameIn({ 0: all, index }: RegExpExecArray, name: string): Named {
  return { name: name.toLowerCase(), offset: index + all.lastIndexOf(name) };
}
