import { anyOf, type TextRule } from './rule.ts';

/** Suspicious content in texts: keys, data URLs, hidden text, code that runs automatically. */
export const CONTENT_RULES: readonly TextRule[] = [
  {
    id: 'SP501',
    name: 'service-key',
    severity: 'high',
    why: 'It looks like a real key. If it is, everyone who has the skill has it. If it is not yours, your data goes to its owner.',
    isSecret: true,
    certainty: 'certain',
    needs: [
      'akia*',
      'asia*',
      'gh*',
      'glpat-',
      'sk-*',
      'aiza*',
      'sk_live_*',
      'rk_live_*',
      'xox*',
      'sg.*',
      'npm_*',
      'pypi-*',
      'hf_*',
      ':aa*',
      'webhooks',
    ],
    pattern: new RegExp(
      [
        /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
        /\bgh[pousr]_[A-Za-z0-9]{36,80}\b|\bgithub_pat_[A-Za-z0-9_]{60,90}\b|\bglpat-[\w-]{20,30}\b/,
        /\bsk-ant-[a-z0-9]{4,8}-[\w-]{40,120}|\bsk-(?:proj|svcacct)-[\w-]{40,180}|\bsk-[A-Za-z0-9]{48}\b/,
        /\bAIza[\w-]{35}(?![\w-])/,
        /\b(?:sk|rk)_live_[A-Za-z0-9]{20,100}\b/,
        /\bxox[abprs]-\d{8,14}-[\w-]{16,80}/,
        /\bSG\.[\w-]{20,24}\.[\w-]{40,50}\b/,
        /\bnpm_[A-Za-z0-9]{36}\b|\bpypi-AgE[\w-]{60,200}|\bhf_[A-Za-z]{34}\b/,
        /\b\d{8,10}:AA[\w-]{33}(?![\w-])/,
        /discord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/[\w-]{60,70}/,
      ]
        .map(({ source }) => source)
        .join('|'),
      'g',
    ),
    accepts: ([match]) => isLikelyKey(match),
  },
  {
    id: 'SP502',
    name: 'private-key',
    severity: 'high',
    why: 'A private key that is shared is no longer private.',
    isSecret: true,
    certainty: 'certain',
    needs: ['private'],
    pattern: /-----BEGIN (?:[A-Z]{2,10} )?PRIVATE KEY(?: BLOCK)?-----(?:\s|\\n)?([\\A-Za-z0-9+/=:,\s-]{40,4000})/g,
    accepts: ([, body = '']) => isLikelyKey(body.slice(0, 60)),
  },
  {
    id: 'SP503',
    name: 'hardcoded-password',
    severity: 'medium',
    inProse: 'low',
    why: 'The text seems to contain a password or token.',
    isSecret: true,
    certainty: 'certain',
    needs: ['pass*', 'secret*', 'key*', 'token*', '://'],
    pattern: anyOf(
      /\b(?:password|passwd|secret|api_?key|access_?token|auth_?token|client_?secret|private_?key)["']?\s?[:=]{1,2}\s?["']([\w+/=.~!@#%-]{20,120})["']/,
      /\b(?:https?|ftp|postgres(?:ql)?|mysql|mongodb(?:\+srv)?|redis|amqp):\/\/[\w.-]{1,40}:([^\s@/"'<>{}$:]{8,60})@[\w.-]{3,80}/,
    ),
    accepts: (match) => isLikelyPassword(match[1] ?? match[2] ?? ''),
  },
  {
    id: 'SP504',
    name: 'active-data-url',
    severity: 'medium',
    why: 'A page or script is hidden in a data URL, where readers overlook it.',
    needs: ['data'],
    pattern:
      /\bdata:(?:text\/html|text\/javascript|application\/(?:javascript|x-javascript|x-sh|octet-stream|x-msdownload|zip|gzip|x-python))[;,]\S{8}/gi,
  },
  {
    id: 'SP505',
    name: 'hidden-by-style',
    severity: 'medium',
    why: 'Readers of the rendered page do not see this text, but the agent does.',
    contexts: ['prose'],
    needs: ['style'],
    pattern:
      /<\w{1,12}\s[^<>]{0,200}?style\s?=\s?["'][^"'<>]{0,120}?(?:display\s?:\s?none|visibility\s?:\s?hidden|font-size\s?:\s?0(?![.\d])|opacity\s?:\s?0(?![.\d])|color\s?:\s?(?:white|#fff(?:fff)?|transparent))\b[^<>]{0,120}>\s?[^\s<]/gi,
  },
  {
    id: 'SP506',
    name: 'runs-automatically',
    severity: 'medium',
    rate: ([text]) => (FETCHES.test(text) ? 'critical' : undefined),
    why: 'It runs as soon as something is installed or opened, without a call.',
    contexts: ['code'],
    needs: [
      'preinstall',
      'postinstall',
      'preprepare',
      'runon',
      'hooks',
      'fsmonitor',
      'hookspath',
      'sshcommand',
      'cmdclass',
    ],
    pattern: anyOf(
      /"(?:preinstall|postinstall|preprepare)"\s?:\s?"[^"\n]{2,200}"/,
      /"runOn"\s?:\s?"folderOpen"/,
      /"hooks"\s?:\s?\{[^\n]{0,5}\s?"(?:SessionStart|PreToolUse|PostToolUse|UserPromptSubmit|Stop)"/,
      /\b(?:fsmonitor|hooksPath|sshCommand)\s?=\s?[^\s=]/,
      /\bcmdclass\s?=\s?\{[^}\n]{0,60}?["']?(?:install|develop|egg_info)\b/,
    ),
  },
  {
    id: 'SP507',
    name: 'active-document',
    severity: 'medium',
    why: 'A picture or document with a script in it runs the script when it is opened.',
    contexts: ['code'],
    needs: ['svg', '/javascript', '/js', '/openaction', '/aa', '/launch'],
    pattern: anyOf(
      /<svg\b([\s\S]{0,2000})/,
      /\/(?:JavaScript|JS)\s?(?:\(|<<|\d{1,6}\s\d)|\/(?:OpenAction|AA)\s?<<[^\n]{0,80}?\/(?:JavaScript|Launch)|\/S\s?\/Launch\b/,
    ),
    accepts: ([, picture]) => picture === undefined || ACTS.test(picture),
  },
];

/** Active content in an SVG picture. */
const ACTS = /<script\b|\son(?:load|error|click)\s?=|<foreignObject\b/i;

/** Documentation has examples that look like keys; they repeat, count up, or say that they are examples. */
const PLACEHOLDER =
  /example|placeholder|your|xxxx|0000|1234567|abcdef|test|fake|dummy|sample|redacted|changeme|replace|secret|insert|here|todo|\.\.\.|\*\*/i;

/** Whether a text in the format of a key is as irregular as a real one. */
function isLikelyKey(text: string): boolean {
  return !PLACEHOLDER.test(text) && entropyOf(text) > 3.2;
}

/** Whether a value assigned to a password is more than a word or a placeholder. */
function isLikelyPassword(value: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/].filter((kind) => kind.test(value)).length;
  return kinds === 3 && !/[./]\w+[./]/.test(value) && !/pass|user|token|key/i.test(value) && isLikelyKey(value);
}

/** Bits per character: 0 for one repeated letter, about 4.5 or more for random letters and digits. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** A command that downloads or decodes something. */
const FETCHES = /\b(?:curl|wget|eval|base64|powershell|Invoke-\w{3,12})\b|https?[:.('"]/i;
