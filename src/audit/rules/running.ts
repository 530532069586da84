import { anyOf, type TextRule } from './rule.ts';

/** Foreign or hidden code that runs. */
export const RUNNING_RULES: readonly TextRule[] = [
  {
    id: 'SP101',
    name: 'download-piped-into-shell',
    severity: 'critical',
    inDocuments: 'high',
    why: 'Whatever the server sends is run unseen, and it can send something different each time.',
    pattern: anyOf(
      /\b(?:curl|wget|fetch|aria2c)\b[^\n]{0,300}?\|\s?(?:sudo\s(?:-\w{1,20}\s)?)?(?:[\w/.-]{0,40}\/)?(?:env\s)?(?:ba|z|da|k|fi)?sh(?![\w.-])/,
      /\b(?:curl|wget)\b[^\n]{0,300}?\|\s?(?:sudo\s)?(?:python[\d.]{0,4}|node|perl|ruby|php|pwsh|deno run)(?:\s-(?![\w-])|\s?(?:$|[\n;&`"')]))/,
      /\b(?:(?:ba|z|da|k)?sh|source|eval|python3?|node)\s(?:-\w{1,20}\s){0,3}["']?(?:<\s?\(|\$\(|`)\s?(?:curl|wget)\b/,
      /(?:^|[\s;&])\.\s<\(\s?(?:curl|wget)\b/,
      /\b(?:iwr|irm|invoke-webrequest|invoke-restmethod|wget|curl)\b[^\n]{0,300}?\|\s?(?:iex|invoke-expression)\b/,
      /\b(?:iex|invoke-expression)\b[^\n]{0,40}(?:\birm\b|\biwr\b|invoke-|downloadstring)/,
      /downloadstring\([^\n]{0,300}?\|\s?iex\b/,
      /\b(?:exec|eval)\s?\([^\n]{0,120}(?:urlopen|requests\.get|httpx\.get|urllib)/,
      /\bmshta(?:\.exe)?\s["']?https?:/,
    ),
  },
  {
    id: 'SP102',
    name: 'download-then-run',
    severity: 'high',
    inDocuments: 'medium',
    why: 'A downloaded file is run immediately, so no one can check what arrived.',
    pattern: anyOf(
      /\b(?:curl|wget)(?=\s)(?=([^\n]{0,300}))(?=([\s\S]{0,500}))/,
      /\b(?:invoke-webrequest|iwr)\b[^\n]{0,200}-outfile\s\S{1,100}[\s\S]{0,120}start-process/,
    ),
    accepts: ([, command, after = '']) => command === undefined || runsWhatItSaves(command, after),
  },
  {
    id: 'SP103',
    name: 'runs-decoded-data',
    severity: 'critical',
    inDocuments: 'high',
    why: 'Code that is decoded only when it runs is meant not to be read.',
    pattern: anyOf(
      /\bbase64\s(?:-d|-D|--decode)\b[^\n]{0,120}?\|\s?(?:sudo\s)?(?:[\w/]{0,20}\/)?(?:(?:ba|z|da|k)?sh|python3?|node|perl)(?![\w.-])/,
      /\b(?:xxd\s-r|openssl\s(?:enc|base64)\b[^\n]{0,60}?\s-d|gunzip|gzip\s-d)\b[^\n]{0,120}?\|\s?(?:sudo\s)?(?:ba|z|da|k)?sh(?![\w.-])/,
      /\b(?:(?:ba|z)?sh\s-c|eval)\s["']?(?:\$\(|`)[^\n]{0,160}?base64\s(?:-d|-D|--decode)/,
      /\b(?:exec|eval|compile)\s?\([^\n]{0,80}?(?:b64decode|b32decode|a85decode|fromhex|unhexlify|zlib\.decompress|codecs\.decode|marshal\.loads)/,
      /\b(?:eval|new\sFunction)\s?\([^\n]{0,60}?(?:\batob\s?\(|,\s?['"](?:base64|hex)['"])/,
      /\bpowershell(?:\.exe)?\b[^\n]{0,80}\s-e(?:nc|ncodedcommand|c)?\s[\w+/=]{16}/,
      /frombase64string\([^\n]{0,200}?\b(?:iex|invoke-expression)\b|\b(?:iex|invoke-expression)\b[^\n]{0,120}?frombase64string/,
      /\beval\s?\(\s?(?:gzinflate|base64_decode|str_rot13)\s?\(/,
    ),
  },
  {
    id: 'SP104',
    name: 'reverse-shell',
    severity: 'critical',
    inDocuments: 'high',
    why: 'It gives someone on the network a shell on this machine.',
    pattern: anyOf(
      /\/dev\/(?:tcp|udp)\/[\w.${}"'-]{1,80}\//,
      /\b(?:nc|ncat|netcat)(?:\.\w{1,12})?\s[^\n|]{0,80}?(?:-\w{0,4}e|--exec|--sh-exec|-c)\s?["']?(?:\/[\w/]{0,20}\/)?(?:(?:ba|z)?sh|cmd|powershell)\b/,
      /\b(?:ba|z)?sh\s-i\s?(?:[0-9]?>&|<&|2>&1\s?\|)/,
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
    inDocuments: 'low',
    why: 'A package from a URL bypasses the registry, and its code runs during installation.',
    pattern: anyOf(
      /\b(?:pip[\d.]{0,4}|pipx|uv\spip|uv\stool)\sinstall\s[^\n]{0,100}?(?:git\+|https?:|--(?:extra-)?index-url|-i\shttp)/,
      /\b(?:uvx|uv\srun|uv\stool\srun|pipx\srun)\s[^\n]{0,100}?(?:git\+|https?:)/,
      /\b(?:npm\s(?:i|install|exec)|npx|pnpm\s(?:add|dlx)|yarn\sadd|bunx|bun\sadd)\s[^\n]{0,80}?(?:git\+|https?:\/\/|github:|--registry)/,
      /\bcargo\sinstall\s[^\n]{0,60}?--git\b/,
      /\b(?:deno|bun)\srun\s[^\n]{0,80}?https?:/,
      /\bgem\sinstall\s[^\n]{0,80}?--source\b/,
    ),
  },
  {
    id: 'SP107',
    name: 'runs-latest-package',
    severity: 'info',
    why: 'The latest version of a package is downloaded and run each time. A later version may do something else.',
    pattern: /\b(?:npx\s(?:-y|--yes)|bunx|pnpm\sdlx|yarn\sdlx|uvx|pipx\srun)\s(?!-)[@\w./-]{2,80}/gi,
  },
  {
    id: 'SP108',
    name: 'installs-packages',
    severity: 'info',
    why: 'Packages are installed while the skill is used. Their install scripts run with your permissions.',
    pattern: anyOf(
      /\b(?:pip[\d.]{0,4}|uv\spip|pipx|brew|apt|apt-get|dnf|yum|choco|winget|gem|cargo|go)\sinstall\s(?:-\S{1,20}\s){0,3}[@\w"'[]/,
      /\b(?:npm\s(?:i|install)|pnpm\sadd|yarn\sadd|bun\sadd)\s(?:-\S{1,20}\s){0,3}[@\w]/,
    ),
  },
  {
    id: 'SP109',
    name: 'obfuscated-code',
    severity: 'high',
    inDocuments: 'medium',
    why: 'The code is written so that people cannot read it. Honest scripts have no reason for that.',
    pattern: anyOf(
      /(?:\\x[0-9a-f]{2}){16}/,
      /(?:\\u00[2-7][0-9a-f]){12}/,
      /\bfromCharCode\s?\(\s?\d{2,3}(?:\s?,\s?\d{2,3}){11}/,
      /\bchr\(\s?\d{2,3}\s?\)(?:\s?[+.]\s?chr\(\s?\d{2,3}\s?\)){5}/,
      /\b_0x[0-9a-f]{4,6}\b[^\n]{0,80}?\b_0x[0-9a-f]{4,6}\b[^\n]{0,80}?\b_0x[0-9a-f]{4,6}\b/,
    ),
  },
  {
    id: 'SP110',
    name: 'link-to-program',
    severity: 'medium',
    inDocuments: 'low',
    why: 'It points to a program to download. A fake prerequisite is a common trick of malicious skills.',
    pattern: /https?:\/\/[^\s"'`<>)]{4,200}\.(?:exe|msi|dmg|pkg|scr|bat|cmd|vbs|hta|apk|appimage|lnk|iso)(?![\w./-])/gi,
  },
  {
    id: 'SP111',
    name: 'destroys-data',
    severity: 'high',
    inDocuments: 'medium',
    why: 'It deletes or overwrites far more than a skill should touch.',
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
    inDocuments: 'medium',
    why: 'The name of a program or function is put together from pieces, so that a search does not find it.',
    pattern: /["'][\w.:-]{1,20}["'](?:\s?\+\s?["'][\w.:-]{1,20}["']){1,8}/gi,
    accepts: ([text]) => HIDDEN_WORDS.test(text.replaceAll(/["'+\s]/g, '')),
  },
  {
    id: 'SP113',
    name: 'deletes-in-the-home',
    severity: 'medium',
    inDocuments: 'low',
    why: 'It deletes folders under your home directory. Check which ones, and whether they belong to the skill.',
    pattern: anyOf(
      /\brm\s(?:-\w{1,6}\s){0,2}-(?=\w{0,4}r)\w{1,5}\s(?:-\S{1,20}\s){0,2}["']?(?:~|\$HOME|\$\{HOME\})\/[\w.*-]/,
      /\b(?:rmtree|rmSync|rmdirSync|rm|rimraf|removeSync)\([^\n]{0,40}?(?:expanduser\(|Path\.home\(|homedir\(|["']~\/)/,
    ),
  },
];

const HIDDEN_WORDS =
  /^(?:(?:node:)?child_process|subprocess|os\.system|system|popen|eval|exec|execSync|spawn|__import__|importlib|base64|b64decode|curl|wget|bash|powershell)$/i;

const SAVED = /(?:\s-[a-z]{0,4}o\s?|\s--output[\s=]|>\s?)["']?([\w./~$-]{2,80})(?![\w./~$-])/gi;
const RUN =
  /(?:\b(?:ba|z)?sh\s|\bchmod\s\S{1,6}\s|\bpython3?\s|\bnode\s|\bsource\s)(?=["']?([\w./~$-]{2,80})(?![\w./-]))/gi;

/** Whether the text that follows runs the saved file, or makes it executable. */
function runsWhatItSaves(command: string, after: string): boolean {
  const run = new Set([...after.matchAll(RUN)].map(([, path]) => path));
  return run.size > 0 && [...command.matchAll(SAVED)].some(([, path]) => run.has(path));
}
