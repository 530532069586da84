import { anyOf, type TextRule } from './rule.ts';
import { isImitatedPackage, isKnownInstaller, isKnownRegistry } from './suspect-hosts.ts';

const DOWNLOADS =
  /\b(?:curl|wget|aria2c|lwp-request|lwp-download|urlopen|fetch\s(?:-\w{1,9}\s){0,3}["']?(?:https?:|\$))/gi;
const DECODES =
  /\b(?:base(?:32|64|nc)\s(?:[^\n|]{0,40}\s)?(?:-\w{0,3}d|--decode)|xxd\s(?:-\w{1,4}\s){0,2}-\w{0,3}r|openssl\s[^\n|]{0,60}\s-d|uudecode|iconv\s-f|rev\s?\||(?:gunzip|zcat|bzcat|xzcat|gzip\s-\w{0,3}d)\b|tr\s["']?A-Za-z["']?\s["']?N-Z)/gi;
/** A shell or interpreter that is given no program, so that it runs its input. */
const RUNS_INPUT = [
  /(?:(?:sudo|doas|env|exec|command|nohup|nice|timeout|setsid|busybox)\s(?:(?:-[\w-]{1,20}|\w{1,30}=\S{0,60}|\d{1,5}[smh]?)\s){0,3}){0,3}/,
  /["'\\]?(?:[\w/.-]{0,40}\/)?/,
  /(?:(?:(?:ba|z|da|k|a|fi)?sh|\$\{?(?:SHELL|BASH)\b[^\s|;}]{0,20}\}?)["']?(?:\s-(?!\w{0,4}c)[\w-]{0,20}){0,4}(?:\s\/dev\/stdin|(?<=-s|--)\s[^\n]{1,80})?|(?:python[\d.]{0,4}|node|perl|ruby|php|pwsh)(?:\s-)?)/,
]
  .map(({ source }) => source)
  .join('');
/** Without a blank after the bar, `sh|py)` and `(?:ba|z)sh` are choices, not pipes. A line that begins with a bar is a table. */
const RUNS_PIPE = anyOf(
  new RegExp(
    String.raw`\|(?<!\|\||\n[#*/ ]{0,4}\|[^\n]{0,160}\|)&?\s[({]?\s?${RUNS_INPUT}\s?(?=$|[\n;&|\`"')}#<>]|2>)`,
  ),
  new RegExp(String.raw`\|(?<!\|\|)&?[({]?${RUNS_INPUT}\s?(?=$|[\n;&#<>]|2>)`),
);
/** The command after such a pipe is on another line; comments and the lines of a document may be in between. */
const OPEN_PIPE = /(?<!\|)\|&?\s?(?:\n|#)/g;
const RUNS_LINE = anyOf(new RegExp(String.raw`\n[({]?\s?${RUNS_INPUT}\s?(?=$|[\n;&|)}#<>]|2>)`));

/** Foreign or hidden code that runs. */
export const RUNNING_RULES: readonly TextRule[] = [
  {
    id: 'SP101',
    name: 'download-piped-into-shell',
    severity: 'critical',
    why: 'Whatever the server sends is run unseen, and it can send something different each time.',
    needs: [
      'curl',
      'wget',
      'fetch',
      'aria2c',
      'iwr',
      'irm',
      'invoke-webrequest',
      'invoke-restmethod',
      'iex',
      'downloadstring',
      'urlopen',
      'urllib',
      'get',
      'mshta',
      'lwp-request',
      'lwp-download',
    ],
    pattern: anyOf(
      /\b(?:curl|wget|fetch|aria2c)\s[^\n]{0,300}?\|\s?(?:sudo\s(?:-\w{1,20}\s)?)?(?:[\w/.-]{0,40}\/)?(?:env\s)?(?:ba|z|da|k|fi)?sh(?![\w.-])/,
      /\b(?:curl|wget)\b[^\n]{0,300}?\|\s?(?:sudo\s)?(?:python[\d.]{0,4}|node|perl|ruby|php|pwsh|deno run)(?:\s-(?![\w-])|\s?(?:$|[\n;&`"')]))/,
      /\b(?:(?:ba|z|da|k)?sh|source|eval|python3?|node|\/dev\/stdin)\s(?:-\w{1,20}\s|\/dev\/stdin\s){0,3}(?:<{1,3}\s?)?["']?(?:<\s?\(|\$\(|`)\s?(?:curl|wget)\b/,
      /\b(?:curl|wget)\b[^\n]{0,300}?\|\s?(?:xargs\s[^\n]{0,60}?\b(?:ba|z|da|k)?sh\s-c|while\s[^\n]{0,20}?read\b[^\n]{0,120}?\beval)\b/,
      /(?:^|[\s;&])\.\s<\(\s?(?:curl|wget)\b/,
      /\b(?:iwr|irm|invoke-webrequest|invoke-restmethod|wget|curl)\b[^\n]{0,300}?\|\s?(?:iex|invoke-expression)\b/,
      /\b(?:iex|invoke-expression)\b[^\n]{0,40}(?:\birm\b|\biwr\b|invoke-|downloadstring)/,
      /downloadstring\([^\n]{0,300}?\|\s?iex\b/,
      /\b(?:exec|eval)\s?\([^\n]{0,120}(?:urlopen|requests\.get|httpx\.get|urllib)/,
      /\bmshta(?:\.exe)?\s["']?https?:/,
    ),
    // Everyone installs these tools like this, and no attacker can answer there.
    rate: (match) => (isFromKnownInstaller(match) ? 'low' : undefined),
    inOrder: [
      [DOWNLOADS, RUNS_PIPE],
      [DOWNLOADS, OPEN_PIPE, RUNS_LINE],
    ],
  },
  {
    id: 'SP103',
    name: 'runs-decoded-data',
    severity: 'critical',
    why: 'Code that is decoded only when it runs is meant not to be read.',
    needs: [
      'base64',
      'base32',
      'basenc',
      'xxd',
      'openssl',
      'gunzip',
      'gzip',
      'zcat',
      'bzcat',
      'xzcat',
      'uudecode',
      'iconv',
      'rev',
      'tr',
      'exec',
      'eval',
      'compile',
      'function',
      'powershell',
      'frombase64string',
    ],
    pattern: anyOf(
      /\bbase64\s(?:-d|-D|--decode)\b[^\n]{0,120}?\|\s?(?:sudo\s)?(?:[\w/]{0,20}\/)?(?:(?:ba|z|da|k)?sh|python3?|node|perl)(?![\w.-]|\s-m\s)/,
      /\b(?:xxd\s-r|openssl\s(?:enc|base64)\b[^\n]{0,60}?\s-d|gunzip|gzip\s-d)\b[^\n]{0,120}?\|\s?(?:sudo\s)?(?:ba|z|da|k)?sh(?![\w.-])/,
      /\b(?:(?:ba|z)?sh\s-c|eval)\s["']?(?:\$\(|`)[^\n]{0,160}?base64\s(?:-d|-D|--decode)/,
      /\b(?:exec|eval|compile)\s?\([^\n]{0,80}?(?:b64decode|b32decode|a85decode|fromhex|unhexlify|zlib\.decompress|codecs\.decode|marshal\.loads)/,
      /\b(?:eval|new\sFunction)\s?\([^\n]{0,60}?(?:\batob\s?\(|,\s?['"](?:base64|hex)['"])/,
      /\bpowershell(?:\.exe)?\b[^\n]{0,80}\s-e(?:nc|ncodedcommand|c)?\s[\w+/=]{16}/,
      /frombase64string\([^\n]{0,200}?\b(?:iex|invoke-expression)\b|\b(?:iex|invoke-expression)\b[^\n]{0,120}?frombase64string/,
      /\beval\s?\(\s?(?:gzinflate|base64_decode|str_rot13)\s?\(/,
    ),
    inOrder: [
      [DECODES, RUNS_PIPE],
      [DECODES, OPEN_PIPE, RUNS_LINE],
    ],
  },
  {
    id: 'SP104',
    name: 'reverse-shell',
    severity: 'critical',
    why: 'It gives someone on the network a shell on this machine.',
    needs: ['/dev/', 'nc', 'ncat', 'netcat', 'sh', 'bash', 'zsh', 'socat', 'mkfifo', 'dup2', 'pty', 'tcpclient'],
    pattern: anyOf(
      /(?:-i|<>|[0-9&]>{1,2}&?|<&|\|\s?(?:ba)?sh)\s?["']?[^\n]{0,40}\/dev\/(?:tcp|udp)\/[\w.${}"'-]{1,80}\//,
      /\/dev\/(?:tcp|udp)\/[\w.${}"'-]{1,80}\/[\w${}"']{1,12}[^\n]{0,20}(?:0>&1|<&1|0<&|\|\s?(?:ba)?sh\b)/,
      /\b(?:nc|ncat|netcat)(?:\.\w{1,12})?\s[^\n|]{0,80}?(?:-\w{0,4}e|--exec|--sh-exec|-c)\s?["']?(?:\/[\w/]{0,20}\/)?(?:(?:ba|z)?sh|cmd|powershell)\b/,
      /\b(?:ba|z)?sh\s-i\s?(?:[0-9]?>&|<&|2>&1\s?\|)/,
      /\b(?:nc|ncat|netcat)\s(?:[\w.$-]{1,40}\s){0,4}\|\s?(?:ba|z|da)?sh\b/,
      /\bsocat\b[^\n]{0,120}?\bexec:/,
      /\bmkfifo\s[^\n]{0,160}?\b(?:nc|ncat|netcat|openssl)\s/,
      /\bos\.dup2\(\s?\w{1,20}\.fileno\(\)/,
      /\bsocket\b[\s\S]{0,300}?\bpty\.spawn\(/,
      /\bnew-object\s(?:system\.)?net\.sockets\.tcpclient\b/,
    ),
  },
  {
    id: 'SP105',
    name: 'command-built-at-run-time',
    severity: 'low',
    why: 'Text from elsewhere becomes a command or code. Anyone who controls the text controls the machine.',
    contexts: ['code'],
    needs: ['eval', 'exec', 'function', 'shell', 'system', 'popen', 'pickle', 'yaml'],
    pattern: anyOf(
      /(?<![\w.$])(?:eval|exec)\s?\(\s?(?![\s)'"`])/,
      /(?<![\w.$])eval\s"?\$/,
      /\bnew\sFunction\s?\(/,
      /\bshell\s?=\s?True\b/,
      /\bos\.(?:system|popen)\s?\(/,
      /\bpickle\.loads?\s?\(/,
      /\byaml\.(?:load|unsafe_load)\s?\((?![^\n]{0,80}safe)/,
    ),
  },
  {
    id: 'SP106',
    name: 'package-from-url',
    severity: 'medium',
    why: 'A package from a URL bypasses the registry, and its code runs during installation.',
    needs: ['git+*', 'http', 'https', '--index-url', '--extra-index-url', 'github', '--registry', '--git', '--source'],
    pattern: anyOf(
      /\b(?:pip[\d.]{0,4}|pipx|uv\spip|uv\stool)\sinstall\s[^\n]{0,100}?(?:git\+|https?:|--(?:extra-)?index-url|-i\shttp)/,
      /\b(?:uvx|uv\srun|uv\stool\srun|pipx\srun)\s[^\n]{0,100}?(?:git\+|https?:)/,
      /\b(?:npm\s(?:i|install|exec)|npx|pnpm\s(?:add|dlx)|yarn\sadd|bunx|bun\sadd)\s[^\n]{0,80}?(?:git\+|https?:\/\/|github:|--registry)/,
      /\bcargo\sinstall\s[^\n]{0,60}?--git\b/,
      /\b(?:deno|bun)\srun\s[^\n]{0,80}?https?:/,
      /\bgem\sinstall\s[^\n]{0,80}?--source\b/,
      /["']--(?:extra-)?index-url["']\s?,\s?["']https?:/,
      /(?:^|\n)(?:--(?:extra-)?index-url[\s=]|registry\s?=\s?)https?:/,
    ),
    rate: (match) => {
      const line = lineOf(match);
      const addresses = line.match(ADDRESSES) ?? [];
      if (addresses.length > 0 && addresses.every(isKnownRegistry)) return 'info';
      return /--trusted-host|http:\/\/(?!localhost|127\.|10\.|192\.168\.|0\.0\.)/.test(line) ? 'high' : undefined;
    },
  },
  {
    id: 'SP107',
    name: 'runs-latest-package',
    severity: 'info',
    why: 'The latest version of a package is downloaded and run each time. A later version may do something else.',
    needs: ['npx', 'bunx', 'dlx', 'uvx', 'pipx'],
    pattern: /\b(?:npx\s(?:-y|--yes)|bunx|pnpm\sdlx|yarn\sdlx|uvx|pipx\srun)\s(?!-)[@\w./-]{2,80}/gi,
  },
  {
    id: 'SP108',
    name: 'installs-packages',
    severity: 'info',
    why: 'Packages are installed while the skill is used. Their install scripts run with your permissions.',
    needs: ['install', 'npm', 'add'],
    pattern: anyOf(
      /\b(?:pip[\d.]{0,4}|uv\spip|pipx|brew|apt|apt-get|dnf|yum|choco|winget|gem|cargo|go)\sinstall\s(?:-\S{1,20}\s){0,3}[@\w"'[]/,
      /\b(?:npm\s(?:i|install)|pnpm\sadd|yarn\sadd|bun\sadd)\s(?:-\S{1,20}\s){0,3}[@\w]/,
    ),
  },
  {
    id: 'SP109',
    name: 'obfuscated-code',
    severity: 'high',
    why: 'The code is written so that people cannot read it. Honest scripts have no reason for that.',
    needs: ['\\x*', '\\u00*', 'fromcharcode', 'chr', '_0x*', 'exec'],
    pattern: anyOf(
      /(?:\\x[0-9a-f]{2}){16}/,
      /(?:\\u00[2-7][0-9a-f]){12}/,
      /\bfromCharCode\s?\(\s?\d{2,3}(?:\s?,\s?\d{2,3}){11}/,
      /\bchr\(\s?\d{2,3}\s?\)(?:\s?[+.]\s?chr\(\s?\d{2,3}\s?\)){5}/,
      /\b_0x[0-9a-f]{4,6}\b[^\n]{0,80}?\b_0x[0-9a-f]{4,6}\b[^\n]{0,80}?\b_0x[0-9a-f]{4,6}\b/,
      /\bexec\(\s?compile\(\s?(?!open\()\w/,
    ),
  },
  {
    id: 'SP110',
    name: 'link-to-program',
    severity: 'medium',
    why: 'It points to a program to download. A fake prerequisite is a common trick of malicious skills.',
    needs: ['exe', 'msi', 'dmg', 'pkg', 'scr', 'bat', 'cmd', 'vbs', 'hta', 'apk', 'appimage', 'lnk', 'iso'],
    pattern: /https?:\/\/[^\s"'`<>)]{4,200}\.(?:exe|msi|dmg|pkg|scr|bat|cmd|vbs|hta|apk|appimage|lnk|iso)(?![\w./-])/gi,
  },
  {
    id: 'SP111',
    name: 'destroys-data',
    severity: 'high',
    why: 'It deletes or overwrites far more than a skill should touch.',
    needs: ['rm', 'dd', 'mkfs', ':()', ':() ', 'rmtree'],
    pattern: anyOf(
      /\brm\s(?:-\w{1,6}\s){0,2}-(?=\w{0,4}r)\w{1,5}\s(?:-\S{1,20}\s){0,2}["']?(?:\/|~\/?|\$HOME\/?|\$\{HOME\}\/?|\/\*|~\/\*)["']?(?=[\s;&|`)]|$)/,
      /\bdd\s[^\n]{0,80}?\bof=\/dev\/(?:sd|nvme|disk|hd|mmcblk)/,
      /\bmkfs(?:\.\w{2,6})?\s[^\n]{0,60}?\/dev\//,
      /:\(\)\s?\{\s?:\s?\|\s?:\s?&\s?\}\s?;\s?:/,
      /\bshutil\.rmtree\(\s?(?:os\.path\.expanduser\(\s?)?["'](?:\/|~\/?)["']/,
    ),
  },
  {
    id: 'SP112',
    name: 'word-in-pieces',
    severity: 'high',
    why: 'The name of a program or function is put together from pieces, so that a search does not find it.',
    needs: ['" +', "' +", '"+', "'+", '$'],
    pattern: anyOf(
      /["'][\w.:-]{1,20}["'](?:\s?\+\s?["'][\w.:-]{1,20}["']){1,8}/,
      /(?:^|[\s;&|])\$\{?[a-z]\w{0,12}\}?\$\{?[a-z]\w{0,12}\}?\s[^\n]{0,80}?https?:\/\//,
    ),
    accepts: ([text]) => !/^["']/.test(text) || HIDDEN_WORDS.test(text.replaceAll(/["'+\s]/g, '')),
  },
  {
    id: 'SP113',
    name: 'deletes-in-the-home',
    severity: 'medium',
    why: 'It deletes folders under your home directory. Check which ones, and whether they belong to the skill.',
    needs: ['rm', 'rmtree', 'rmsync', 'rmdirsync', 'rimraf', 'removesync'],
    pattern: anyOf(
      /\brm\s(?:-\w{1,6}\s){0,2}-(?=\w{0,4}r)\w{1,5}\s(?:-\S{1,20}\s){0,2}["']?(?:~|\$HOME|\$\{HOME\})\/[\w.*-]/,
      /\b(?:rmtree|rmSync|rmdirSync|rm|rimraf|removeSync)\([^\n]{0,40}?(?:expanduser\(|Path\.home\(|homedir\(|["']~\/)/,
    ),
  },
  {
    id: 'SP115',
    name: 'look-alike-package',
    severity: 'high',
    why: 'The name differs by a letter from that of a package that everyone uses. Such packages are made to be installed by mistake.',
    needs: ['install', 'add', 'i', '==', '>=', '": "'],
    pattern: anyOf(
      /\b(?:pip[\d.]{0,4}|uv|npm|pnpm|yarn|bun|poetry)\s(?:pip\s)?(?:install|i|add)\s([^\n`|;&"'()]{3,200})/,
      /(?:^|\n)([a-z][\w.-]{4,40})\s?(?:==|>=|~=)\s?\d/,
      /"([\w@/.-]{5,60})"\s?:\s?"[\^~]?\d{1,4}\.\d/,
    ),
    accepts: (match) => listPackages(match).some(isImitatedPackage),
  },
  {
    id: 'SP116',
    name: 'mines-or-locks',
    severity: 'high',
    why: 'It uses the machine to mine coins, or encrypts files and removes the originals.',
    needs: ['stratum', 'xmrig', 'minerd', 'cryptonight', 'fernet', 'encrypt', 'aes'],
    pattern: anyOf(
      /\bstratum\+(?:tcp|ssl):\/\/|\b(?:xmrig|minerd|cryptonight|cpuminer)\b/,
      /\.(?:rglob|walk|glob)\([^\n]{0,120}\n(?:[^\n]{0,120}\n){0,4}?[^\n]{0,60}\.encrypt\([^\n]{0,120}\n(?:[^\n]{0,120}\n){0,3}?[^\n]{0,60}(?:\.unlink\(|os\.remove\()/,
    ),
  },
];

/** The names of the packages that a command installs, or that a list of them has. */
function listPackages([, words = '', required, depended]: RegExpExecArray): readonly string[] {
  if (required !== undefined || depended !== undefined) return [required ?? depended ?? ''];
  return words
    .split(/\s+/)
    .filter((word) => !word.startsWith('-'))
    .map((word) => word.replace(/[[=<>~!@].*$/, ''));
}

const HIDDEN_WORDS =
  /^(?:(?:node:)?child_process|subprocess|os\.system|system|popen|eval|exec|execSync|spawn|__import__|importlib|base64|b64decode|curl|wget|bash|powershell)$/i;

const ADDRESSES = /https?:\/\/[^\s"'`<>)|,]{3,200}/g;

/** The line of a match, of bounded length. */
function lineOf({ index, input, 0: match }: RegExpExecArray): string {
  const start = Math.max(input.lastIndexOf('\n', index), index - 400) + 1;
  const end = input.indexOf('\n', index + match.length);
  return input.slice(start, Math.min(end === -1 ? input.length : end, index + match.length + 200));
}

/** Whether all addresses in the line of a match are those of well-known installers. */
function isFromKnownInstaller(match: RegExpExecArray): boolean {
  const addresses = lineOf(match).match(ADDRESSES) ?? [];
  const bare = /\b(?:irm|iwr|curl|wget)\s(?:-\w{1,12}\s){0,4}([\w.-]{3,80}\.[a-z]{2,8}\/\S{1,80})/i.exec(match[0])?.[1];
  const all = bare === undefined ? addresses : [...addresses, bare];
  return all.length > 0 && all.every(isKnownInstaller);
}
