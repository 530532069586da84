/** Files that hold nothing but secrets: keys of SSH, logins of programs, stores of keys and passwords. */
const ALWAYS =
  /(?:^|\/)(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|[._]netrc|\.pgpass|\.git-credentials|\.vault-token|\.htpasswd|[^/]+\.(?:p12|pfx|jks|keystore|ppk|kdbx|keychain(?:-db)?|tfstate)|secring\.gpg)$/i;
/** Variables of a deployment. Files that show which ones there are have another ending. */
const ENVIRONMENT = /(?:^|\/)(?:\.env(?:\.[\w.-]+)?|[\w.-]+\.env)$/i;
const EXAMPLE = /[._-](?:example|sample|template|tpl|dist|defaults?|schema)(?:\.env)?$/i;
/** A certificate or a key; the content says which. */
const PEM = /\.(?:pem|key|crt|cer)$/i;
const KEY_OR_SESSION = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY|^# (?:Netscape )?HTTP Cookie File/;
/** Settings in which a secret may stand. */
const SETTINGS =
  /(?:^|\/)(?:\.envrc|\.?env|\.env\/[^/]+|cookies\.txt|\.npmrc|\.yarnrc\.yml|\.pypirc|\.dockercfg|\.s3cfg|\.boto|\.docker\/config\.json|\.kube\/config|kubeconfig|token\.json|credentials(?:\.(?:json|ya?ml|toml|ini|csv))?|secrets?\.(?:json|ya?ml|toml|ini)|client_secret[\w.-]*\.json|service[-_]?account[\w.-]*\.json)$/i;
const ASSIGNED =
  /(?:secret|token|passw(?:or)?d|(?:api|private|access)[_-]?key|_auth|\bauth(?=["']))(?:[_-]?(?:id|key|value|data))?["']?\s{0,8}[:=]\s{0,8}["']?([^\s"',;]{6,})/gi;
const PLACEHOLDER =
  /^(?:[<$([{*]|your|my[-_]|x{3}|\.{3}|change|replace|example|placeholder|insert|todo|undefined|process\.env)/i;
/** A copy that an editor or a person made. */
const BACKUP = /(?:~|\.(?:bak|backup|old|orig|save|swp|tmp))+$/i;
const EXAMINED_BYTES = 65_536;

/** Whether a file is named like one that holds secrets, and its content does not say otherwise. */
export function isSecretFile(named: string, bytes: Buffer): boolean {
  const path = named.replace(BACKUP, '');
  const isVariables = ENVIRONMENT.test(path) && !EXAMPLE.test(path) && bytes.length > 0;
  if (isVariables || ALWAYS.test(path)) return true;
  if (!PEM.test(path) && !SETTINGS.test(path)) return false;
  const text = bytes.toString('latin1', 0, EXAMINED_BYTES);
  if (KEY_OR_SESSION.test(text)) return true;
  return SETTINGS.test(path) && [...text.matchAll(ASSIGNED)].some(([, value = '']) => !PLACEHOLDER.test(value));
}
