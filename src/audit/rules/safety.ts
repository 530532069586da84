import { anyOf, type TextRule } from './rule.ts';

/** Disabled protections of an agent, a tool or a machine. */
export const SAFETY_RULES: readonly TextRule[] = [
  {
    id: 'SP301',
    name: 'skips-permissions',
    severity: 'high',
    inDocuments: 'medium',
    why: 'It starts an agent that does not ask before it acts.',
    pattern: anyOf(
      /--dangerously-(?:skip-permissions|bypass-approvals-and-sandbox)\b|--yolo\b|--allow-all-tools\b/,
      /\bbypassPermissions\b|\bdangerouslyDisableSandbox\b|\bskipDangerousModePermissionPrompt\b/,
      /\bapproval[_-]policy\s?[=:]\s?["']?never\b|\bsandbox_mode\s?=\s?["']danger-full-access\b/,
      /"(?:autoApprove|alwaysAllow)"\s?:\s?(?:true|\[\s?"\*")/,
    ),
  },
  {
    id: 'SP302',
    name: 'asks-for-every-tool',
    severity: 'medium',
    why: 'The skill may use all tools, or run any command, without asking you.',
    contexts: ['frontmatter'],
    pattern: anyOf(
      /\ballowed-tools\s?:\s?(?:[^\n]{0,200}?[\s,["'])??(?:\*|all)["']?(?=[\s,\]]|$)/,
      /\ballowed-tools\s?:(?:[^\n]{0,300}?|(?:\n-\s[^\n]{1,60}){0,20}?\n-\s["']?)\bBash\(\s?(?:\*|\*:\*|:\*)\s?\)/,
    ),
  },
  {
    id: 'SP303',
    name: 'asks-for-any-command',
    severity: 'info',
    why: 'Bash without a pattern lets the skill run any command without asking you.',
    contexts: ['frontmatter'],
    pattern: /\ballowed-tools\s?:(?:[^\n]{0,300}?[\s,["']|(?:\n-\s[^\n]{1,60}){0,20}?\n-\s["']?)Bash(?=["'\],\s]|$)/gi,
  },
  {
    id: 'SP304',
    name: 'administrator-rights',
    severity: 'low',
    inDocuments: 'info',
    why: 'With administrator rights, a mistake or a trick affects the whole machine.',
    pattern: anyOf(/(?:^|[\s;&|`"'(])sudo\s(?=[-\w./$"])/, /\bStart-Process\b[^\n]{0,80}-Verb\sRunAs\b/, /\bpkexec\s/),
  },
  {
    id: 'SP305',
    name: 'opens-permissions',
    severity: 'medium',
    inDocuments: 'low',
    why: 'Any user of the machine can then change these files, or they run as another user.',
    pattern:
      /\bchmod\s(?:-\w{1,3}\s)?(?:0?777|a\+rwx|[ugo]{0,3}\+s|[2467][0-7]{3})\b|\bicacls\b[^\n]{0,80}Everyone:F/gi,
  },
  {
    id: 'SP306',
    name: 'skips-checks',
    severity: 'low',
    inDocuments: 'info',
    why: 'It disables a check of certificates, hosts or commits, so that a forged one is accepted.',
    pattern: anyOf(
      /\bgit\s(?:commit|push|merge)\b[^\n]{0,80}?--no-verify\b/,
      /\bGIT_SSL_NO_VERIFY\s?=|\bhttp\.sslVerify\s(?:=\s)?false\b|\bNODE_TLS_REJECT_UNAUTHORIZED\s?=\s?["']?0/,
      /\bcurl\s(?:[^\n|]{0,80}\s)?(?:-[a-z]{0,4}k[a-z]{0,3}|--insecure)\s/,
      /\bwget\b[^\n|]{0,80}?--no-check-certificate\b/,
      /\bverify\s?=\s?False\b|\brejectUnauthorized\s?:\s?false\b|\bInsecureSkipVerify\s?:\s?true\b/,
      /\bStrictHostKeyChecking[\s=]no\b|\bstrict-ssl\sfalse\b|--trusted-host\b/,
    ),
  },
  {
    id: 'SP307',
    name: 'disables-protection',
    severity: 'high',
    inDocuments: 'medium',
    why: 'It disables protection of the machine, or the record of what was done.',
    pattern: anyOf(
      /\bxattr\s[^\n]{0,40}?(?:com\.apple\.quarantine|-c(?:r|\b))/,
      /\bspctl\s--(?:master|global)-disable\b|\bcsrutil\sdisable\b/,
      /\bSet-MpPreference\b[^\n]{0,60}-Disable|\bAdd-MpPreference\b[^\n]{0,60}-Exclusion/,
      /\bsetenforce\s0\b|\bufw\sdisable\b|\biptables\s-F\b|\bsystemctl\s(?:stop|disable)\s(?:auditd|firewalld|apparmor)\b/,
      /\bSet-ExecutionPolicy\s[^\n]{0,40}?(?:Bypass|Unrestricted)\b|-ExecutionPolicy\s(?:Bypass|Unrestricted)\b/,
      /\bunset\sHISTFILE\b|\bHISTFILE=\/dev\/null\b|\bhistory\s-c\b/,
    ),
  },
  {
    id: 'SP308',
    name: 'leaves-the-container',
    severity: 'medium',
    inDocuments: 'low',
    why: 'A container with access to the host no longer isolates anything.',
    pattern: anyOf(
      /\bdocker\s[^\n]{0,120}?(?:--privileged\b|--pid[=\s]host\b|-v\s?["']?\/:\/)/,
      /\/var\/run\/docker\.sock:\//,
      /\bnsenter\s[^\n]{0,60}?(?:-t|--target)\s?1\b/,
    ),
  },
];
