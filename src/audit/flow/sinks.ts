/** A call or command that sends something over the network. */
export const SENDS: RegExp = new RegExp(
  [
    String.raw`\b(?:requests|httpx|aiohttp|session|client|http)\.(?:post|put|patch|request|get)\(|\burlopen\(|\bRequest\(|\.sendall\(|\.send_message\(|\.sendmail\(|\bgethostbyname\(|\bgetaddrinfo\(|\.storbinary\(`,
    String.raw`\bfetch["'\`)]{0,2}\)?\(|\baxios(?:\.\w{1,10})?\(|\bgot(?:\.\w{1,10})?\(|\bhttps?\.(?:request|get)\(|\bsendBeacon\(|\.send\(|\bdns\.(?:resolve|lookup)\w{0,10}\(|\.src\s?=`,
    String.raw`\bcurl\b|\bwget\b|\b(?:nc|ncat|netcat|telnet)\s|\bscp\s|\bsftp\s|\brsync\s[^\n]{0,200}[\w.-]:|\b(?:dig|nslookup)\s|\bsendmail\b|\bmail\s-s\b|\bmutt\s|\bInvoke-(?:WebRequest|RestMethod)\b|\b(?:irm|iwr)\s|/dev/(?:tcp|udp)/|\bs_client\b`,
  ].join('|'),
);

/** Methods that send something if they are called on an open connection. */
export const CHANNEL_SENDS = /\b([\w$]{1,60})\.(?:send|sendall|write|end|request|sendto|send_message|sendmail)\(/g;

/** Parts of a statement that name a file or a value without sending it: keys to log in with, where output goes, the environment of a child. */
const NOT_SENT =
  /\s-[iEo]\s["']?[^\s"']{1,200}|\s--(?:output|cert|key|cacert|identity|netrc-file|config)[\s=]["']?[^\s"']{1,200}|(?<=[(,{]\s?)env\s?[=:]\s?[^,)\n]{1,120}|,\s?env\s?(?=\})|\bverify\s?=\s?[^,)\n]{1,120}|\bcert\s?=\s?[^)\n]{1,120}/g;

export function withoutUnsent(text: string): string {
  return text.replaceAll(NOT_SENT, ' ');
}

/** The header in which a service expects its own key, or its login. */
const LOGIN =
  /["'`]?(?:proxy-)?(?:authorization|x-api-key|api-?key|apikey|x-auth-token|private-token|x-goog-api-key|x-access-token|job-token|bearer)["'`]?\]?\s?[:=]\s?[^,}\n]{0,200}|\bBearer\s["'`]?\s?[+$\w{}.[\]"']{1,120}|\bauth\s?[=:]\s?[^)\n]{1,120}|\bapi_key\s?[=:]\s?[^,)\n]{1,120}|\s-u\s["']?[^\s"']{1,200}/gi;

export function withoutLogin(text: string): string {
  return text.replaceAll(LOGIN, ' ');
}

/** Writes a file; the file is somewhere in the statement. */
export const WRITES: RegExp =
  />{1,2}\s?["']?[\w./~$]|\btee\s|\b(?:cp|mv|ln|install)\s|\bopen\([^\n]{0,160}["'][wax]b?\+?["']|\.open\(\s?["'][wax]|\.write_(?:text|bytes)\(|\b(?:writeFile|appendFile|copyFile|symlink)(?:Sync)?\(|\bsed\s-i|\bOut-File\b|\bAdd-Content\b|\bSet-Content\b/;

/** Runs a text as code. */
export const RUNS_TEXT =
  /(?<![\w.$])(?:exec|eval|compile)\s?\(|\bnew\sFunction\s?\(|(?<![\w.$])Function\s?\(|\bvm\.runIn\w{1,20}\(|\bexec_module\(|\bimportlib\.\w{1,30}\(|\b_compile\(|\bmarshal\.loads\(/;
/** Runs its first argument as a command. */
export const RUNS_COMMAND =
  /\b(?:os\.(?:system|popen)|subprocess\.(?:run|call|Popen|check_output|check_call|getoutput)|execSync|exec|child_process\.exec|spawnSync|spawn|Bun\.spawn|eval|(?:ba|z|da)?sh\s-c)\s?[("]{0,2}\s?\[?\s?["'`$({]{0,4}([\w$]{1,60})/g;

/** Runs a file, or makes it executable; the groups are the file as a word or a name. */
export const RUNS_FILE = [
  /(?:^|[\s;&|(`"'])(?:(?:ba|z|da|k)?sh|source|\.|python[\d.]{0,4}|node|perl|ruby|php|pwsh|open|nohup|exec|start|chmod\s(?:-\w{1,3}\s)?[-+\w,]{1,12}|xattr\s-\w{1,3}(?:\s[\w.]{1,40})?)\s(?:-\w{1,12}\s){0,2}["']?([\w./~${}%-]{1,160})/g,
  /^\s?(?:sudo\s|nohup\s|\(\s?)?["']?((?:\.{0,2}\/|~\/|\$)[\w./${}-]{1,160})/g,
  /\b(?:subprocess\.\w{2,14}|Popen|os\.(?:system|popen|startfile|execv\w{0,2}|chmod|spawn\w{1,3})|runpy\.run_path|spawn(?:Sync)?|exec(?:File)?(?:Sync)?|chmod(?:Sync)?|fork|require|import|spec_from_file_location)\(\s?\[?\s?(?:["'`][\w ./-]{0,30}["'`]\s?,\s?\[?\s?)?(?:f?["'`])?([\w$./~-]{1,160})/g,
  /\b(?:exec|eval|compile)\(\s?(?:compile\(\s?)?open\(\s?["'`]?([\w$./~-]{1,160})/g,
];

/** Saves what it downloads; the group is the file as a word or a name. */
export const SAVES = [
  /\bcurl\b[^\n|]{0,400}?\s(?:-\w{0,6}o|--output)[\s=]?["']?([\w./~${}%-]{1,160})/g,
  /\bwget\b[^\n|]{0,400}?\s(?:-\w{0,6}O|--output-document)[\s=]?["']?([\w./~${}%-]{2,160})/g,
  /\b(?:curl|wget)\b[^\n|]{0,400}?\s?>\s?["']?([\w./~${}%-]{2,160})/g,
  /\burlretrieve\(\s?[^,\n]{1,200},\s?["'`]?([\w$./~-]{1,160})/g,
  /\b(?:Invoke-WebRequest|iwr|irm)\b[^\n]{0,300}?-OutFile\s["']?([\w./~$\\:{}-]{1,160})/gi,
  /\bStart-BitsTransfer\b[^\n]{0,300}?-Destination\s["']?([\w./~$\\:{}-]{1,160})/gi,
];
/** Saves it under the last name of the address. */
export const SAVES_BY_NAME =
  /\b(?:curl\b[^\n|]{0,200}?\s-\w{0,8}O\w{0,4}\b|wget\b(?![^\n|]{0,200}\s-\w{0,6}O))[^\n|]{0,300}?https?:\/\/[^\s"'|;)]{3,200}?\/([\w.-]{2,80})(?=["'\s;)?#]|$)/g;
