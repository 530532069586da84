/** A value that is worth following, by where it comes from. */
export type ValueKind =
  | 'environment'
  | 'keys'
  | 'browser'
  | 'agent'
  | 'variables'
  | 'secrets'
  | 'secret'
  | 'documents'
  | 'project'
  | 'remote'
  | 'start'
  | 'memory'
  | 'channel';

/** Between the segments of a path: `/`, or the signs between the arguments of a function that joins them. */
const S = String.raw`[/"'\s,\\)]{1,6}`;

const KEYS = [
  String.raw`\.ssh${S}(?:id_(?!\w{1,12}\.pub)|\*|identity)`,
  String.raw`\bid_(?:rsa|ed25519|ecdsa|dsa)\b(?!\.pub)`,
  String.raw`(?:~|HOME\}?|home\(\)|homedir\(\)|/root|/home/[\w*]{1,32})["'\s/,)+]{0,6}\.(?:ssh|aws|gnupg|azure|kube)\b(?!${S}(?:known_hosts|config\.d|\w{1,30}\.pub))`,
  String.raw`\.aws${S}(?:credentials|config)\b`,
  String.raw`\.git-credentials\b|[/"'~ ]\.netrc\b|[/"'~ ]\.npmrc\b|\.pypirc\b|\.pgpass\b|\.vault-token\b`,
  String.raw`\.docker${S}config\.json|\.kube${S}config\b|\.config/gcloud\b|gcloud${S}(?:application_default|credentials)`,
  String.raw`\.config${S}gh${S}hosts|/etc/shadow\b`,
  String.raw`["'\s]\*\.(?:pem|key|ppk|p12)\b`,
].join('|');

const BROWSER =
  'Login Data|["\'/ ]Cookies["\']|cookies\\.sqlite|logins\\.json|key4\\.db|Local State["\']|Local Extension Settings|Library/Keychains|login\\.keychain|find-(?:generic|internet)-password|dump-keychain|exodus\\.wallet|[Ee]lectrum/wallets|\\bwallet\\.dat\\b|solana/id\\.json|seed\\.seco|secret-tool\\s(?:lookup|search)';

const AGENT = [
  String.raw`\.claude${S}\.credentials|\.claude\.json|\.codex${S}auth\.json|github-copilot${S}(?:hosts|apps)|\.gemini${S}oauth`,
  String.raw`\.(?:openclaw|clawdbot)${S}(?:openclaw|clawdbot|credentials|auth)|\.cursor${S}mcp\.json|\.config${S}anthropic`,
  String.raw`\.(?:bash|zsh|python|node_repl|psql|mysql)_history\b|\.local/share/fish/fish_history`,
].join('|');

const ENVIRONMENT = [
  String.raw`\bos\.environ(?:\.(?:items|copy|values)\(\)|\s?[,)}\]]|$)|\*\*os\.environ\b|\bdict\(\s?os\.environ`,
  String.raw`JSON\.stringify\(\s?process\.env\s?[,)]|Object\.(?:entries|values|assign)\([^)]{0,20}process\.env\s?\)|\.{3}process\.env\b(?!\.)|:\s?process\.env\s?[,})]|(?<!\}\s?)=\s?process\.env\s?(?:[;,)\n]|$)`,
  String.raw`\bprintenv\b(?!\s\w)|(?:^|[\s;|\`(])env\s?(?:\||>|\)|\`|$)|\bexport -p\b|/proc/(?:self|\d{1,7}|\$\w{1,20}|\*)/environ`,
  String.raw`(?:check_output|getoutput|run|popen|execSync|exec|spawnSync)\(\s?\[?["'\`](?:env|printenv|set)["'\`]|\b(?:gci|dir|Get-ChildItem)\senv:`,
].join('|');

const VARIABLES = String.raw`(?:open\(|readFile(?:Sync)?\(|read_text|Path\(|\bcat\s|@|<\s?)["'(\s]{0,3}[\w./~$\{\}-]{0,60}(?<![\w])\.env\b(?!\.(?:example|sample|template|dist))`;

const HOME = String.raw`(?:~|HOME\}?|home\(\)|homedir\(\)|expanduser|USERPROFILE)`;
const DOCUMENTS = [
  String.raw`${HOME}[^\n]{0,40}\b(?:Documents|Desktop|Downloads|Pictures)\b`,
  String.raw`\bfind\s(?:~|["']?\$\{?HOME|/home|/Users)`,
  String.raw`(?:os\.walk|rglob|glob)\([^\n]{0,20}(?:expanduser|Path\.home|["']~|homedir)|Path\.home\(\)\.rglob`,
  String.raw`\bpbpaste\b|\bxclip\s[^\n]{0,20}-o\b|\bGet-Clipboard\b|pyperclip\.paste\(|\bscreencapture\s|ImageGrab\.grab\(|pyautogui\.screenshot\(|mss\(\)|keyboard\.Listener\(`,
].join('|');

const PROJECT = String.raw`\btar\s[^\n|]{0,60}\s["']?(?:\.|\$PWD|\$\(pwd\))["']?(?:\s|$)|\bzip\s-\w{0,4}r\w{0,4}\s\S{1,80}\s\.(?:\s|$)|\bmake_archive\(|\bos\.walk\(\s?["'.\w]|\bglob\(\s?["']\*\*|\brglob\(\s?["']\*["']|\bgit\s(?:bundle|archive)\s`;

const START = [
  String.raw`\.ssh${S}authorized_keys`,
  String.raw`\.(?:bashrc|bash_profile|zshrc|zprofile|zshenv|bash_login)\b|[/"'~ ]\.profile\b|config\.fish\b`,
  String.raw`Library${S}Launch(?:Agents|Daemons)|\.config${S}(?:systemd${S}user|autostart)|/etc/(?:cron|systemd/system|profile\.d|rc\.local|init\.d)`,
  String.raw`\bhooks/(?:pre|post)-\w{3,12}|\.git${S}hooks\b|\.vscode${S}(?:tasks|settings)\.json|\.pth\b(?=["'\s,)])|(?:site|user)customize\.py|\bgetusersitepackages\(`,
  String.raw`Start Menu|CurrentVersion\\+Run`,
].join('|');

const MEMORY = String.raw`\b(?:CLAUDE|AGENTS|GEMINI|SOUL|MEMORY|IDENTITY|HEARTBEAT|USER)\.md\b|\.cursorrules\b|\.claude${S}settings(?:\.local)?\.json|\.claude\.json\b|\.mcp\.json\b|\.codex${S}config\.toml|\.cursor${S}(?:mcp\.json|rules)|\.(?:openclaw|clawdbot)${S}`;

const REMOTE = String.raw`\b(?:requests|httpx|session|client|aiohttp)\.get\(|\burlopen\(|\bfetch\(\s?["'\`\w]|\baxios(?:\.get)?\(|\bgot(?:\.get)?\(|\bhttps?\.get\(|\$\(\s?(?:curl|wget)\b|\`(?:curl|wget)\s|(?:check_output|getoutput|execSync)\(\s?\[?["'\`](?:curl|wget)`;

const CHANNEL = String.raw`\bsocket\.(?:socket|create_connection)\(|\bhttps?\.request\(|\bnet\.(?:connect|createConnection|Socket)\(|\bnew WebSocket\(|\bsmtplib\.SMTP|\bHTTPS?Connection\(|\bnew XMLHttpRequest\b|\bftplib\.FTP|\burllib\.request\.Request\(`;

/** Where values of each kind come from. */
export const SOURCES: readonly (readonly [kind: ValueKind, pattern: RegExp])[] = [
  ['keys', new RegExp(KEYS)],
  ['browser', new RegExp(BROWSER)],
  ['agent', new RegExp(AGENT)],
  ['environment', new RegExp(ENVIRONMENT)],
  ['variables', new RegExp(VARIABLES)],
  ['documents', new RegExp(DOCUMENTS)],
  ['project', new RegExp(PROJECT)],
  ['start', new RegExp(START)],
  ['memory', new RegExp(MEMORY)],
  ['remote', new RegExp(REMOTE)],
  ['channel', new RegExp(CHANNEL)],
];

/** Names of variables that hold a secret of a service, and words of its hosts. */
const SERVICES: readonly (readonly [name: RegExp, hosts: RegExp])[] = [
  [/^AWS_(?:SECRET|ACCESS|SESSION)/, /aws|amazon/],
  [/^(?:GITHUB|GH)_(?:TOKEN|PAT)/, /github|ghcr/],
  [/^GITLAB_\w*TOKEN/, /gitlab/],
  [/^OPENAI_API_KEY/, /openai/],
  [/^(?:ANTHROPIC|CLAUDE)_(?:API|AUTH|CODE)/, /anthropic|claude/],
  [/^(?:GEMINI|GOOGLE)_(?:API|APPLICATION)/, /google|gemini/],
  [/^(?:NPM|NODE_AUTH)_TOKEN/, /npm/],
  [/^(?:PYPI|TWINE)_(?:TOKEN|PASSWORD|API)/, /pypi|python/],
  [/^(?:HF|HUGGINGFACE|HUGGING_FACE)_\w*TOKEN/, /huggingface|hf\./],
  [/^STRIPE_(?:SECRET|API)/, /stripe/],
  [/^SLACK_\w*TOKEN/, /slack/],
  [/^(?:AZURE|ARM)_CLIENT_SECRET/, /azure|microsoft/],
  [/^(?:DATABASE_URL|POSTGRES_PASSWORD|MYSQL_PASSWORD|DB_PASSWORD)/, /^$/],
  [/^(?:WALLET_)?(?:PRIVATE_KEY|MNEMONIC|SEED_PHRASE)/, /^$/],
];

/** The words of a host to which the secret in a variable belongs; undefined if the name is not that of a known one. */
export function hostsOfSecret(variable: string): RegExp | undefined {
  return SERVICES.find(([name]) => name.test(variable))?.[1];
}

const VARIABLE =
  /(?:os\.environ(?:\.get\(|\[)|os\.getenv\(|getenv\(|process\.env\.?\[?|\$\{?|\$env:|["'{,\s])\s?["']?([A-Z][A-Z0-9_]{3,60})\b/g;

/** Between the words of a command: a blank, or the signs between the strings of a list. */
const B = String.raw`["'\s,]{1,6}`;

/** Commands that print a secret, with a variable that would hold the same. */
const PRINTED: readonly (readonly [variable: string, command: RegExp])[] = [
  ['GITHUB_TOKEN', new RegExp(String.raw`\bgh${B}auth${B}token\b`)],
  [
    'GOOGLE_API_KEY',
    new RegExp(String.raw`\bgcloud${B}auth${B}(?:application-default${B})?print-(?:access|identity)-token\b`),
  ],
  ['AWS_SECRET', new RegExp(String.raw`\baws${B}configure${B}(?:get${B}aws_secret|export-credentials)`)],
  ['AZURE_CLIENT_SECRET', new RegExp(String.raw`\baz${B}account${B}get-access-token\b`)],
  ['NPM_TOKEN', new RegExp(String.raw`\bnpm${B}config${B}get${B}\S{0,40}_authToken`)],
];

/** The names of variables in a statement that hold secrets of known services. */
export function findSecretNames(text: string): readonly string[] {
  const printed = PRINTED.filter(([, command]) => command.test(text)).map(([name]) => name);
  const names = [...text.matchAll(VARIABLE)].map(([, name = '']) => name).concat(printed);
  return [...new Set(names)].filter((name) => hostsOfSecret(name) !== undefined);
}
