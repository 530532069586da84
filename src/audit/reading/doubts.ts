import type { TextRegion } from './text-regions.ts';

/** A match in a folded text. */
export interface DoubtedMatch {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly region: TextRegion;
  readonly path: string;
}

/**
 * Whether the text around a match says that it is not meant to happen: it is negated, quoted as an attack, printed, a comment, a pattern,
 * or a step that builds an image. Looks at a bounded part of the text.
 */
export function isDoubtful({ text, start, end, region, path }: DoubtedMatch): boolean {
  const from = Math.max(0, start - NEAR);
  const lineStart = Math.max(from, text.lastIndexOf('\n', start - 1) + 1);
  const before = text.slice(lineStart, start);
  const lineEnd = text.indexOf('\n', end);
  const after = text.slice(end, Math.min(lineEnd === -1 ? text.length : lineEnd, end + NEAR));
  const match = text.slice(start, end);
  const isImageFile = IMAGE_FILE.test(path) || IMAGE_LANGUAGE.test(region.language);
  if (isImageFile || /^RUN\s/.test(before)) return true;
  if (isPattern(match, before) || PLACEHOLDER.test(`${before}${match}${after}`)) return true;
  if (region.context === 'code') return isComment(before) || isPrinted(before, after) || isInManual(text, start);
  if (region.context === 'fence') {
    if (isComment(before) || isPrinted(before, after) || isInManual(text, start)) return true;
    const block = text.slice(Math.max(0, start - NEAR, region.start - NEAR), start);
    return WRONG.test(block) || isUnderWarning(text, start);
  }
  const isRow = /^\s?\|/.test(before) && NEGATED.test(`${before}${match}${after}`);
  return isRow || NEGATED.test(before) || isQuoted(before, after) || isUnderWarning(text, start);
}

const NEAR = 400;
/** The text of a lesson: nobody answers there. */
const PLACEHOLDER =
  /\b(?:ATTACKER|ATTACKER_IP|ATTACKER_HOST|YOUR_IP|LHOST|TARGET_IP|VICTIM_IP)\b|\/\/(?:target|victim)\.com\b|\/\/attacker\b(?!\.\w)|<(?:attacker|your)[\w -]{0,12}>/;
const IMAGE_FILE = /(?:^|[/!])(?:Dockerfile|Containerfile)[\w.-]{0,30}$|\.(?:dockerfile|containerfile)$/i;
const IMAGE_LANGUAGE = /^(?:dockerfile|docker|containerfile)$/;

/** Before the match in the same sentence: it must not happen, or is an example of an attack. */
const NEGATED =
  /(?:\b(?:never|not|don't|doesn't|cannot|can't|won't|mustn't|shouldn't|avoid(?:s|ing)?|refus(?:e|es|ed|ing)|reject(?:s|ed|ing)?|block(?:s|ed|ing)?|prevent(?:s|ed|ing)?|forbid(?:s|den)?|prohibit(?:s|ed)?|den(?:y|ies|ied)|instead of|rather than|no longer|detect(?:s|ed|ing)?|flag(?:s|ged|ging)?|report(?:s|ed)? (?:any|each|every)|scan(?:s|ned|ning)? for|look(?:s|ing)? for|watch for|search(?:es)? for|check(?:s|ing)? for|attack(?:s|er|ers)?|malicious|malware|suspicious|dangerous|unsafe|insecure|vulnerab\w{2,6}|exploit(?:s|ed)?|untrusted|risky|payloads?|phrases?|red flags?|anti-?patterns?|injections?|exfiltration|reverse shell)\b|❌|🚫|⛔)[^\n]{0,160}$/i;
/** Before a code block or inside it: what it shows is wrong. */
const WRONG =
  /(?:❌|🚫|⛔|\b(?:bad|wrong|dangerous|unsafe|insecure|vulnerable|malicious|attack|never do|never run|do not run|don't run|don't do|avoid|anti-?pattern|incorrect|deny|denied|blocked|forbidden)\b)[^\n]{0,80}\n?[^\n]{0,200}\n?[^\n]{0,120}$/i;
const WARNING_TITLE =
  /\b(?:red flags?|attacks?|anti-?patterns?|never|forbidden|prohibited|don'?ts?|do not|avoid|threats?|malicious|vulnerabilit\w{1,3}|injections?|dangerous|warning signs|blocked|denied|suspicious|detection|what to flag|indicators|exploit\w{0,6}|payloads?|unsafe|security (?:rules|checks|review|scan\w{0,4}|audit|considerations|warnings?))\b/i;
const TITLE = /(?:^|\n)#{1,6} ([^\n]{1,120})/g;
const TITLE_REACH = 3000;

/** The last heading announces attacks or things to avoid. */
function isUnderWarning(text: string, start: number): boolean {
  const titles = [...text.slice(Math.max(0, start - TITLE_REACH), start).matchAll(TITLE)];
  return WARNING_TITLE.test(titles.at(-1)?.[1] ?? '');
}

/** Words before a quotation that call it an example. */
const CITES =
  /(?:\b(?:e\.g\.|such as|for example|for instance|example|like|phrases?|says?|said|contains?|containing|text|strings?|patterns?|messages?|prompts?|asks?|claims?|queries|query|matches|matching|error)\b[^"“”'`\n]{0,60}|[|:,(]\s?|^[-*] )["“']$|[|,(]\s?`$|^[-*] `$|\b(?:e\.g\.|such as|for example|phrases?|examples?)\b[^\n]{0,120}["“][^"“”\n]{0,80}$/i;

function isQuoted(before: string, after: string): boolean {
  return CITES.test(before) && /^[^"”'`\n]{0,120}["”'`]/.test(after) && !/^[-*] ["“'`]$/.test(before);
}

function isComment(before: string): boolean {
  return /^\s?(?:#(?!!)|\/\/|\/\*|\*\s|--\s|;\s|REM\s|<!--)/i.test(before);
}

/** A text that is shown to a person: a quotation opens after a command that prints, and nothing takes the output. */
const PRINTS =
  /(?:^|[;&|{(]\s?|\bthen\s|\belse\s|\bdo\s)(?:@?echo|print|puts|console\.\w{1,8}|write-(?:host|output|error|warning|verbose)|log(?:ger|ging)?[._]?\w{0,10}|sys\.(?:exit|stderr\.write|stdout\.write)|exit|die|warn\w{0,4}|fail\w{0,4}|err(?:or)?\w{0,6}|info\w{0,3}|hint|help|usage|note|msg|message|click\.echo|raise\s\w{1,40}|throw\s(?:new\s)?\w{1,40}|reject|process\.std(?:err|out)\.write|parser\.\w{1,20}|add_argument)\s?[(=:]?\s?(?:-\w{1,2}\s)?(?:[frb]{0,2}|\$)(["'`])|\b(?:help|description|message|hint|usage|epilog|error|err|msg|reason|detail|fix|install_hint|install|instructions)["']?\s?[=:]\s?[frb]{0,2}(["'`])/gi;
const TAKEN = /["'`]\)?\s?(?:\||>{1,2}\s?["']?[\w.~$/{])/;

function isPrinted(before: string, after: string): boolean {
  for (const { index, 0: all, 1: quote = '', 2: other = quote } of before.matchAll(PRINTS)) {
    const sign = quote === '' || quote === undefined ? other : quote;
    const rest = before.slice(index + all.length);
    const isOpen = rest.split(sign).length % 2 === 1;
    if (isOpen && !TAKEN.test(after)) return true;
  }
  return false;
}

const MANUAL_REACH = 1500;
/** `cat <<EOF` that is only shown, or the text that describes a program in its own source. */
const SHOWN_DOCUMENT = /\bcat\s?<<-?\s?["']?(\w{1,20})["']?(?:\s?>&2)?\s?\n/g;
const DESCRIPTION = /(?:^|\n)(?:r|u)?("""|''')/g;

function isInManual(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - MANUAL_REACH), start);
  const shown = [...before.matchAll(SHOWN_DOCUMENT)].at(-1);
  if (shown !== undefined) {
    const rest = before.slice(shown.index + shown[0].length - 1);
    if (!rest.includes(`\n${shown[1] ?? ''}\n`)) return true;
  }
  const description = [...before.matchAll(DESCRIPTION)].at(-1);
  if (description === undefined) return false;
  const sign = description[1] ?? '"""';
  return before.slice(description.index).split(sign).length === 2;
}

/** A regular expression, or a list of texts to look for. */
function isPattern(match: string, before: string): boolean {
  if (/\[\^|\\[sbwd|(.]|\(\?[:=!]|\.\*|\)\?/.test(match)) return true;
  return /\b(?:re\.(?:compile|search|match|findall|sub)|new RegExp|regexp?|grep|rg|egrep|patterns?|signatures?|keywords?|blocklist|denylist|blacklist)\b[^\n]{0,120}$/i.test(
    before,
  );
}
