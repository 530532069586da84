import type { FoundFlow } from '../flow/follow-values.ts';
import type { AuditSeverity, Rule } from './rule.ts';
import { isKnownRegistry } from './suspect-hosts.ts';

/** Findings about a value that is followed from its source to where it arrives. */
export const FLOW_RULES: Readonly<Record<'run' | 'obey' | 'theft' | 'files' | 'start' | 'memory', Rule>> = {
  run: {
    id: 'SP102',
    name: 'download-then-run',
    severity: 'critical',
    why: 'A downloaded file is run immediately, so no one can check what arrived.',
  },
  obey: {
    id: 'SP114',
    name: 'runs-what-a-server-sends',
    severity: 'critical',
    why: 'Whoever controls the server decides what runs on this machine, each time anew.',
  },
  theft: {
    id: 'SP208',
    name: 'sends-secrets-away',
    severity: 'critical',
    why: 'Keys or environment variables are sent to a server. That is theft, whatever the text around it says.',
  },
  files: {
    id: 'SP217',
    name: 'sends-private-files',
    severity: 'high',
    why: 'Documents, the clipboard or a whole folder are sent to a server. Check that you want that, and who gets them.',
  },
  start: {
    id: 'SP218',
    name: 'writes-a-start-file',
    severity: 'high',
    why: 'What is written there runs at each login, commit or start, also after the skill is gone.',
  },
  memory: {
    id: 'SP219',
    name: 'writes-agent-memory',
    severity: 'high',
    why: 'Agents read these files at every start and obey them. The change outlives the skill.',
  },
};

const BY_KIND: Readonly<Record<FoundFlow['kind'], keyof typeof FLOW_RULES>> = {
  environment: 'theft',
  keys: 'theft',
  browser: 'theft',
  agent: 'theft',
  variables: 'theft',
  secrets: 'theft',
  secret: 'theft',
  documents: 'files',
  project: 'files',
  start: 'start',
  memory: 'memory',
  remote: 'obey',
  download: 'run',
};

/** The rule of a flow, and how bad it is. */
export function rateFlow(
  flow: FoundFlow,
  isScript: boolean,
): { readonly rule: Rule; readonly severity: AuditSeverity } {
  const { kind, addresses, from, to } = flow;
  const rule = FLOW_RULES[BY_KIND[kind]];
  const isKnown = addresses.length > 0 && addresses.every(isKnownRegistry);
  if (kind === 'download' && isKnown) return { rule, severity: 'medium' };
  if (kind === 'project') return { rule, severity: addresses.length > 0 && !isKnown ? 'high' : 'medium' };
  const texts = `${from.text}\n${to.text}`;
  // In a manual, the reader decides; a script does it unasked.
  if (kind === 'start') {
    if (!isScript || USUAL.test(texts)) return { rule, severity: 'medium' };
    return { rule, severity: TAKES_OVER.test(texts) ? 'critical' : 'high' };
  }
  if (kind === 'memory') return { rule, severity: HOME.test(texts) ? 'high' : 'medium' };
  return { rule, severity: rule.severity };
}

/** The search path and completions, which most tools add. */
const USUAL = /\bPATH=|completion|\bhook-env\b|\binit (?:bash|zsh|-)/;
/** It fetches something at each start, lets a stranger log in, or stands in for a program that asks for passwords. */
const TAKES_OVER =
  /\b(?:curl|wget|nc|base64|Invoke-\w{3,12})\s|https?:\/\/|authorized_keys|\balias (?:sudo|ssh|su|git|gpg|npm|pip)=/;
/** Files that apply to all projects of the user. */
const HOME = /(?:~|HOME\}?|home\(\)|homedir\(\)|expanduser)|\b(?:SOUL|IDENTITY|HEARTBEAT)\.md/;
