import type { AuditReport, FindingPlace } from '../report.ts';
import { FILES } from '../rules/files.ts';
import type { FileType } from './sniff-file.ts';

/** A file's name, type and content, or the beginning of the content. */
export interface FileToExamine {
  readonly place: FindingPlace;
  readonly bytes: Buffer;
  readonly type: FileType | undefined;
}

/** Examines what kind of file it is, not its text. */
export function examineFile({ place, bytes, type }: FileToExamine, report: AuditReport): void {
  const path = place.member ?? place.file;
  const add = (rule: keyof typeof FILES, excerpt: string): void => report.add(FILES[rule], place, { excerpt });
  if (type?.kind === 'program' || type?.kind === 'bytecode' || type?.kind === 'pickle') add(type.kind, type.label);
  const expected = expectationOf(path);
  if (type !== undefined && expected?.refuses.includes(type.kind) === true)
    add('disguised', `${type.label} named ${baseOf(path)}`);
  else if (expected?.name === 'picture' && type?.kind !== 'image' && !isPointer(bytes) && bytes.length > 0)
    add('unlike', `${type?.label ?? 'not a picture'} named ${baseOf(path)}`);
  else if (expected?.name === 'text' && type?.kind === 'script') add('unlike', `script named ${baseOf(path)}`);
  const hidden = findSecondFile(bytes, type);
  if (hidden !== undefined) add('polyglot', hidden);
}

/** Examines a file's name. */
export function examineName(place: FindingPlace, report: AuditReport): void {
  const path = place.member ?? place.file;
  const name = baseOf(path);
  if (/[\p{Cc}\p{Cf}\u{E0000}-\u{E007F}]/u.test(path))
    report.add(FILES.name, place, { excerpt: `${path} contains invisible characters` });
  if (TWO_ENDINGS.test(name))
    report.add(FILES.name, place, { excerpt: `${name} has two extensions; the last one counts` });
  if (/[ \u00a0]{3}\S/.test(name))
    report.add(FILES.name, place, { excerpt: `${name} hides its extension behind spaces` });
  if (AUTOSTART.test(path)) report.add(FILES.autostart, place, { excerpt: path });
  if (ACTIVE.test(name)) report.add(FILES.active, place, { excerpt: name });
  if (PICKLED.test(name)) report.add(FILES.pickle, place, { excerpt: name });
}

const TWO_ENDINGS =
  /\.(?:pdf|docx?|xlsx?|txt|png|jpe?g|gif|csv)[ .]{0,40}\.(?:exe|scr|bat|cmd|com|js|vbs|ps1|sh|lnk|hta|jar|app|command)$/i;
const AUTOSTART =
  /(?:^|\/)(?:\.git\/hooks\/(?!.*\.sample$)|\.husky\/|\.mcp\.json$|\.claude\/(?:settings(?:\.local)?\.json|hooks\/)|\.cursor\/(?:mcp\.json|rules)|\.cursorrules$|\.vscode\/(?:tasks|settings|launch)\.json$|\.envrc$|\.npmrc$|\.yarnrc(?:\.yml)?$|\.gitmodules$|(?:site|user)customize\.py$|conftest\.py$)|\.pth$/i;
const ACTIVE =
  /\.(?:exe|dll|com|scr|pif|msi|hta|vbs|vbe|jse|wsf|lnk|chm|cpl|docm|xlsm|pptm|dotm|xlam|iso|img|vhdx?|dmg|pkg|app|command|workflow|scpt|reg|jar|apk|deb|rpm|appimage|inf|url|webloc|desktop)$/i;
const PICKLED = /\.(?:pkl|pickle|joblib|dill|pt|pth\.tar|ckpt)$/i;

interface Expectation {
  readonly name: string;
  readonly endings: RegExp;
  /** Types that a file with such a name must not have. */
  readonly refuses: readonly FileType['kind'][];
}

const RUNS = ['program', 'bytecode', 'archive', 'packed', 'pickle'] as const;

const EXPECTATIONS: readonly Expectation[] = [
  { name: 'picture', endings: /\.(?:png|jpe?g|gif|webp)$/i, refuses: [...RUNS, 'script'] },
  { name: 'document', endings: /\.(?:pdf|svg|ttf|otf|woff2?|mp[34]|wav|ico|bmp)$/i, refuses: [...RUNS, 'script'] },
  {
    name: 'text',
    endings: /\.(?:md|mdx|txt|json|jsonl|ya?ml|toml|ini|cfg|csv|tsv|html?|css|xml|rst|log)$/i,
    refuses: RUNS,
  },
  {
    name: 'source',
    endings: /\.(?:py|js|mjs|cjs|ts|tsx|jsx|sh|bash|zsh|rb|pl|php|lua|go|rs|c|h|java|ps1)$/i,
    refuses: RUNS,
  },
];

function expectationOf(path: string): Expectation | undefined {
  return EXPECTATIONS.find(({ endings }) => endings.test(path));
}

/** Git LFS replaces a large file with a small text. */
function isPointer(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 40).startsWith('version https://git-lfs.github.com/spec/');
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

const ELF = Buffer.from('\x7fELF', 'latin1');
const DOS = Buffer.from('This program cannot be run in DOS mode');
const PNG_END = Buffer.from('IEND\xae\x42\x60\x82', 'latin1');
const JPEG_END = Buffer.from([0xff, 0xd9]);
const LEAST_TRAILING = 64;

/** A program inside a picture or document, or data after the end of a picture. */
function findSecondFile(bytes: Buffer, type: FileType | undefined): string | undefined {
  if (type?.kind === 'image' || type?.kind === 'document') {
    const elf = bytes.indexOf(ELF);
    if (elf > 0 && (bytes[elf + 4] ?? 0) <= 2 && (bytes[elf + 6] ?? 0) === 1)
      return `${type.label} with an ELF program in it`;
    if (bytes.includes(DOS)) return `${type.label} with a Windows program in it`;
    if (bytes.includes('<script') && type.kind === 'image') return `${type.label} with a script in it`;
  }
  const end =
    type?.label === 'PNG picture'
      ? endOf(bytes, PNG_END)
      : type?.label === 'JPEG picture'
        ? endOf(bytes, JPEG_END)
        : undefined;
  if (end === undefined || bytes.length - end < LEAST_TRAILING) return undefined;
  return `${type?.label} with ${bytes.length - end} more bytes after its end`;
}

function endOf(bytes: Buffer, mark: Buffer): number | undefined {
  const at = bytes.lastIndexOf(mark);
  return at === -1 ? undefined : at + mark.length;
}
