import { readFileSync } from 'node:fs';

/** An example skill for the audit. None of them works: see `malicious.txt`. */
export interface AuditExample {
  readonly family: string;
  /** Rules are tuned on the families of one half and judged by those of the other. */
  readonly half: 'tune' | 'held';
  /** Texts by path. */
  readonly files: Files;
}

type Files = Readonly<Record<string, string>>;

/** Puts every example of a file into two themes. */
export function readExamples(name: 'malicious' | 'benign'): readonly AuditExample[] {
  const themes = splitAt(read('themes.txt'), '=== ').map(readTheme);
  return splitAt(read(`${name}.txt`), '=== ').flatMap((text, row) => {
    const [head = '', ...examples] = text.split(/^--- /m);
    const [family = '', half] = head.trim().split(' ');
    return examples.flatMap((example, at) =>
      [0, themes.length / 2].flatMap((shift) => {
        const theme = themes[(row + at + shift) % themes.length];
        if (theme === undefined) return [];
        return [{ family, half: half === 'tune' ? 'tune' : 'held', files: putInto(theme, readFiles(example), at) }];
      }),
    );
  });
}

function read(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}

/** The texts after each mark at the beginning of a line; what precedes the first one is a remark. */
function splitAt(text: string, mark: string): readonly string[] {
  return text.split(new RegExp(`^${mark}`, 'm')).slice(1);
}

/** `path`, a line break and the text; `+++ ` begins another file. */
function readFiles(example: string): Files {
  const files = example.split(/^\+\+\+ /m).map((file) => {
    const end = file.indexOf('\n');
    return [file.slice(0, end), `${file.slice(end + 1).trim()}\n`] as const;
  });
  return Object.fromEntries(files);
}

interface Theme {
  readonly name: string;
  readonly description: string;
  readonly words: Readonly<Record<string, string>>;
  /** The purpose of the skill, its use, and a last remark. */
  readonly paragraphs: readonly string[];
}

function readTheme(text: string): Theme {
  const [head = '', ...paragraphs] = text.trim().split('\n');
  const [name = '', description = '', host = '', ip = '', topic = '', user = ''] = head.split(' | ');
  return { name, description, words: { name, host, ip, topic, user }, paragraphs };
}

/** A skill of the theme with these files. Text for its SKILL.md stands at the end or before the remark. */
function putInto({ name, description, words, paragraphs }: Theme, files: Files, at: number): Files {
  const filled = Object.entries(files).map(([path, text]) => {
    return [path, text.replaceAll(/\{(\w+)\}/g, (all, word: string) => words[word] ?? all)] as const;
  });
  const added = filled.flatMap(([path, text]) => {
    if (path === 'SKILL.md') return [text];
    return path.startsWith('scripts/') ? [`Run \`${path}\` when it is needed.\n`] : [];
  });
  const body = at % 2 === 0 ? [...paragraphs, '', ...added] : [paragraphs[0], '', ...added, ...paragraphs.slice(1)];
  const manifest = `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n\n${body.join('\n')}\n`;
  return { ...Object.fromEntries(filled), 'SKILL.md': manifest };
}
