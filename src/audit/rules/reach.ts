import { anyOf, type TextRule } from './rule.ts';
import { isForeignAddress, isImitatedHost } from './suspect-hosts.ts';

/** Private data that a skill reads, places where it persists, and hosts it talks to. */
export const REACH_RULES: readonly TextRule[] = [
  {
    id: 'SP201',
    name: 'reads-private-keys',
    severity: 'high',
    inDocuments: 'medium',
    why: 'These files hold credentials. Anyone who has them can act as you.',
    pattern: anyOf(
      /\.ssh\/(?:id_\w{2,10}(?!\.pub)\b|\*|authorized_keys)/,
      /(?:~|\$HOME|\$\{HOME\}|\/root|\/home\/\w{1,32}|homedir\(\)|Path\.home\(\))[^\n]{0,12}\.ssh["'/]?(?=[\s"';)`]|$)/,
      /\.aws\/credentials\b|\.config\/gcloud\/(?:application_default_credentials|credentials|access_tokens)/,
      /\.git-credentials\b|\.pypirc\b|\.gnupg\/|(?:~|HOME\}?)\/\.netrc\b|\.docker\/config\.json/,
      /\/etc\/shadow\b/,
    ),
  },
  {
    id: 'SP202',
    name: 'reads-keychain-or-browser',
    severity: 'high',
    inDocuments: 'medium',
    why: 'Passwords, cookies and wallets are stored there. A skill that needs them must say so clearly.',
    pattern: anyOf(
      /\bsecurity\s(?:find-(?:generic|internet)-password|dump-keychain|unlock-keychain)/,
      /\blogin\.keychain(?:-db)?\b|Library\/Keychains\b/,
      /(?:Google\/Chrome|google-chrome|BraveSoftware|Microsoft\\?\/?Edge|Chromium)[\w \\/.-]{0,60}(?:Login Data|Cookies|Local State|Web Data)/,
      /\b(?:key4\.db|logins\.json|cookies\.sqlite)\b/,
      /\bwallet\.dat\b|\.electrum\/wallets|Exodus\/exodus\.wallet|\.config\/solana\/id\.json/,
      /\bsecret-tool\s(?:lookup|search)|\bcmdkey\s\/list|\bvaultcmd\b|\bCredEnumerate/,
    ),
  },
  {
    id: 'SP203',
    name: 'reads-whole-environment',
    severity: 'medium',
    inDocuments: 'low',
    why: 'Environment variables often hold all keys of a session. Hardly any skill needs all of them.',
    pattern: anyOf(
      /\/proc\/(?:self|\d{1,7}|\*|\$\w{1,20}|\$\{\w{1,20}\})\/environ\b/,
      /\bJSON\.stringify\(\s?process\.env\s?[,)]/,
      /\b(?:json\.dumps|dict|str|repr)\(\s?(?:dict\()?\s?os\.environ\b(?!\s?(?:\[|\.get|\.copy))/,
      /(?:^|[\s;`])(?:env|printenv|set|export -p)\s?\|\s?(?:base64|curl|nc|xxd|gzip|openssl)\b/,
      /\bcat\s(?:[\w./~-]{0,60}\/)?\.env(?!\.(?:example|sample|template|dist)\b)(?:\.\w{1,12})?(?=[\s;&|`"')]|$)/,
    ),
  },
  {
    id: 'SP204',
    name: 'asks-for-wallet-secrets',
    severity: 'high',
    inDocuments: 'medium',
    why: 'Anyone who has a seed phrase or private key has the money. No skill needs it in a conversation.',
    pattern:
      /(?<!never |not |n't )\b(?:enter|provide|paste|send|share|type|give|export|upload)\s[^\n.]{0,40}?\b(?:seed phrase|recovery phrase|secret phrase|mnemonic phrase|wallet(?:'s)? private key)/gi,
  },
  {
    id: 'SP205',
    name: 'persists-on-the-machine',
    severity: 'medium',
    inDocuments: 'low',
    why: 'Code placed there runs again automatically, even after the skill is removed.',
    pattern: anyOf(
      /\|\s?crontab\s-|\bcrontab\s(?:-e\b|[\w./~$-]{0,60}\.(?:cron|txt))|\/etc\/cron(?:tab|\.\w{1,8})\b/,
      /\bLibrary\/Launch(?:Agents|Daemons)\b|\blaunchctl\s(?:load|bootstrap|submit)\b/,
      /\bsystemctl\s(?:--user\s)?enable\b|\/etc\/systemd\/system\/|\.config\/systemd\/user\b/,
      /(?:>>|tee -a|open\()\s?["']?[^\n]{0,30}\.(?:bashrc|bash_profile|zshrc|zprofile|zshenv|profile)\b/,
      /\bschtasks(?:\.exe)?\s\/create\b|\bRegister-ScheduledTask\b|CurrentVersion\\{0,2}Run\b|Start Menu\\{1,2}Programs\\{1,2}Startup/,
      /(?:>|\bcp\s[^\n]{0,80}|\bln\s[^\n]{0,80}|\btee\s|\bchmod\s[^\n]{0,10}|\bcat\s>\s?)\s?["']?[\w./$-]{0,40}\.git\/hooks\//,
      /\/etc\/(?:rc\.local|profile\.d\/|ld\.so\.preload)/,
    ),
  },
  {
    id: 'SP206',
    name: 'changes-the-agent',
    severity: 'medium',
    inDocuments: 'low',
    why: 'It writes files that agents read at every start: settings, servers or standing instructions. The change outlives the skill.',
    pattern: anyOf(
      /(?:\s>>?|\btee\s(?:-a\s)?|\bcp\s[^\n]{0,60}\s|\bsed\s-i[^\n]{0,60}\s)\s?["']?[\w./~$-]{0,40}(?:CLAUDE\.md|AGENTS\.md|GEMINI\.md|SOUL\.md|MEMORY\.md|\.cursorrules|\.mcp\.json|\.claude\/settings(?:\.local)?\.json|\.claude\.json|\.codex\/config\.toml)/,
      /\b(?:append|write|insert|inject)\s[^\n.]{0,60}?\b(?:to|into|in)\s[^\n.]{0,20}(?:CLAUDE\.md|AGENTS\.md|SOUL\.md|MEMORY\.md|\.cursorrules|\.mcp\.json|settings\.json)/,
      /\b(?:writeFileSync|write_text|open)\([^\n]{0,60}?(?:CLAUDE\.md|AGENTS\.md|SOUL\.md|MEMORY\.md|\.cursorrules|\.mcp\.json|\.claude\/settings)/,
    ),
  },
  {
    id: 'SP207',
    name: 'uploads-a-file',
    severity: 'low',
    inDocuments: 'info',
    why: 'A file leaves the machine. Check which file, and where it goes.',
    pattern: anyOf(
      /\bcurl\b[^\n]{0,300}?\s(?:-d|--data(?:-binary|-raw|-urlencode)?)[\s=]?["']?@(?!-)/,
      /\bcurl\b[^\n]{0,300}?\s(?:-F|--form)\s?["']?[\w[\]]{1,40}=@/,
      /\bcurl\b[^\n]{0,300}?\s(?:-T|--upload-file)[\s=]/,
      /\bwget\b[^\n]{0,300}?--post-file/,
    ),
  },
  {
    id: 'SP208',
    name: 'sends-secrets-away',
    severity: 'critical',
    inDocuments: 'high',
    why: 'Keys or environment variables are sent to a server. That is theft, whatever the text around it says.',
    pattern: anyOf(
      /\b(?:curl|wget)(?=\s)([^\n]{0,260}?)(?:\.ssh\/|id_rsa|id_ed25519|\.aws\/|\.env\b(?!\.)|\/etc\/passwd|\$\((?:env|printenv|cat\s~)|`(?:env|printenv|cat\s~))/,
      /(?:\.ssh\/|id_rsa|id_ed25519|\.aws\/credentials|\bprintenv|\/proc\/self\/environ)[^\n]{0,120}?\|\s?(?:curl|nc|ncat|wget)\b/,
      /\b(?:requests\.post|fetch|axios\.post|httpx\.post|urlopen)\([^\n]{0,160}?(?:os\.environ(?!\s?(?:\[|\.get))|process\.env(?![.[])|id_rsa|\.ssh\/)/,
    ),
    accepts: ([, sent]) => sent === undefined || SENDS.test(sent),
  },
  {
    id: 'SP209',
    name: 'drop-site',
    severity: 'high',
    why: 'These hosts accept anything anonymously. Stolen data often goes there, and malware often comes from there.',
    pattern: anyOf(
      /\b(?:webhook\.site|requestbin\.\w{2,4}|requestcatcher\.com|pipedream\.net|beeceptor\.com|burpcollaborator\.net|oastify\.com|oast\.(?:fun|pro|live|site|online|me)|interact\.sh|interactsh\.com|dnslog\.cn|ceye\.io|canarytokens\.com)\b/,
      /\b(?:glot\.io|rentry\.(?:co|org)|pastebin\.com\/raw|paste\.ee|hastebin\.com|termbin\.com|ghostbin\.\w{2,5}|controlc\.com|dpaste\.\w{2,4}|ix\.io|sprunge\.us)\b/,
      /\b(?:transfer\.sh|file\.io|0x0\.st|gofile\.io|anonfiles?\.com|temp\.sh|bashupload\.com|oshi\.at|catbox\.moe)\b/,
    ),
  },
  {
    id: 'SP210',
    name: 'chat-webhook',
    severity: 'medium',
    inDocuments: 'low',
    why: 'A chat message is an easy way to send data out. Check what is sent.',
    pattern: anyOf(
      /\bdiscord(?:app)?\.com\/api\/webhooks\/\d/,
      /\bapi\.telegram\.org\/(?:bot|file)/,
      /\bhooks\.slack\.com\/services\/T\w{4}/,
    ),
  },
  {
    id: 'SP211',
    name: 'tunnel',
    severity: 'low',
    why: 'A tunnel exposes this machine to the internet, or hides who answers.',
    pattern:
      /\b(?:ngrok(?:-free)?\.(?:io|app|dev)|trycloudflare\.com|loca\.lt|serveo\.net|localhost\.run|bore\.pub|portmap\.io)\b|\bngrok\s(?:http|tcp)\b|\bcloudflared\stunnel\s--url\b|\bssh\s[^\n]{0,60}?-R\s?\d/gi,
  },
  {
    id: 'SP212',
    name: 'bare-ip-address',
    severity: 'high',
    inDocuments: 'medium',
    why: 'An IP address does not tell who answers. Honest services have host names.',
    pattern: /\b(?:https?|ftp|tcp|wss?):\/\/(\d{1,3}(?:\.\d{1,3}){3}|0x[0-9a-f]{8}|\d{8,10})(?![\w.-])/gi,
    accepts: ([, address = '']) => isForeignAddress(address),
  },
  {
    id: 'SP213',
    name: 'cloud-metadata',
    severity: 'high',
    inDocuments: 'medium',
    why: 'A cloud machine gets its access keys from this address. Reading them is a known attack.',
    pattern: /\b169\.254\.169\.254\b|\bmetadata\.google\.internal\b|\[fd00:ec2::254\]|\b169\.254\.170\.2\b/gi,
  },
  {
    id: 'SP214',
    name: 'data-in-dns-lookups',
    severity: 'high',
    inDocuments: 'medium',
    why: 'A DNS lookup with data in the host name sends it past most firewalls.',
    pattern:
      /\b(?:dig|nslookup|host|ping)\s[^\n]{0,60}?(?:\$\([^\n)]{1,120}\)|`[^\n`]{1,120}`|\$\{?\w{1,30}\}?)\.[\w-]{1,63}\.\w{2,24}/gi,
  },
  {
    id: 'SP215',
    name: 'imitated-host',
    severity: 'high',
    why: 'The name resembles a well-known host or hides the real one. Phishing works this way.',
    pattern: /\bhttps?:\/\/([^\s/"'`<>()[\]{}|\\^,;*$]{4,120})/gi,
    accepts: ([, authority = '']) => isImitatedHost(authority),
  },
  {
    id: 'SP216',
    name: 'short-link',
    severity: 'low',
    why: 'A short link hides its target, and the target can change.',
    pattern:
      /\bhttps?:\/\/(?:bit\.ly|tinyurl\.com|t\.ly|is\.gd|cutt\.ly|rebrand\.ly|shorturl\.at|rb\.gy|goo\.gl|ow\.ly|tiny\.cc|v\.gd)\/\w/gi,
  },
];

/** Options of curl and wget that send data, shortly before the data. */
const SENDS = /\s(?:-d|--data\S{0,14}|-F|-T|--post-(?:data|file)|--upload-file)[\s=]?.{0,60}$/;
