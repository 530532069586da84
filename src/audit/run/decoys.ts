/** A file or variable planted for a script to find. Its mark is unique. */
export interface Decoy {
  /** The path in the home, or the name of the variable. */
  readonly name: string;
  readonly text: string;
  readonly mark: string;
  /** `tool`: programs read it by themselves. `start`: programs obey it, and it has no secret. */
  readonly kind: 'secret' | 'document' | 'tool' | 'start' | 'variable';
}

/** Everything that a thief looks for, with marks that begin with a word that is new for each run. */
export function makeDecoys(seed: string): readonly Decoy[] {
  const word = `MK${seed.replaceAll(/[^0-9a-z]/gi, '').slice(-12)}`;
  return TEMPLATES.map(([kind, name, template], at) => {
    const mark = `${word}${String(at).padStart(2, '0')}Z`;
    return { kind, name, mark, text: template.replaceAll('{}', mark) };
  });
}

const KEY = '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA{}\n-----END OPENSSH PRIVATE KEY-----\n';
const LOGINS = 'SQLite format 3\nlogins https://bank.example user {}\n';

const TEMPLATES: readonly (readonly [kind: Decoy['kind'], name: string, text: string])[] = [
  ['secret', '.ssh/id_rsa', KEY],
  ['secret', '.ssh/id_ed25519', KEY],
  ['secret', '.aws/credentials', '[default]\naws_access_key_id = AKIA{}\naws_secret_access_key = {}\n'],
  ['secret', '.git-credentials', 'https://user:{}@github.com\n'],
  ['secret', '.pypirc', '[pypi]\nusername = __token__\npassword = pypi-{}\n'],
  ['secret', '.config/gh/hosts.yml', 'github.com:\n  oauth_token: gho_{}\n'],
  ['secret', '.config/gcloud/application_default_credentials.json', '{"refresh_token": "{}"}\n'],
  ['secret', '.claude/.credentials.json', '{"claudeAiOauth": {"accessToken": "{}"}}\n'],
  ['secret', '.codex/auth.json', '{"tokens": {"access_token": "{}"}}\n'],
  ['secret', '.gemini/oauth_creds.json', '{"access_token": "{}"}\n'],
  ['secret', '.openclaw/openclaw.json', '{"token": "{}"}\n'],
  ['secret', '.config/google-chrome/Default/Login Data', LOGINS],
  ['secret', '.config/google-chrome/Default/Cookies', LOGINS],
  ['secret', 'Library/Application Support/Google/Chrome/Default/Login Data', LOGINS],
  ['secret', '.mozilla/firefox/a1b2c3.default/logins.json', '{"logins": [{"password": "{}"}]}\n'],
  ['secret', '.config/solana/id.json', '["{}"]\n'],
  ['secret', '.electrum/wallets/default_wallet', '{"seed": "{}"}\n'],
  ['secret', '.bash_history', 'mysql -u root -p{}\n'],
  ['secret', '.zsh_history', ': 1:0;export TOKEN={}\n'],
  ['document', 'Documents/contract.txt', 'Contract {}\n'],
  ['document', 'Documents/passwords.txt', 'mail: {}\n'],
  ['document', 'Desktop/notes.md', '# Notes\n\n{}\n'],
  ['tool', '.netrc', 'machine api.example login user password {}\n'],
  ['tool', '.npmrc', '//registry.npmjs.org/:_authToken={}\n'],
  ['tool', '.docker/config.json', '{"auths": {"registry.example": {"auth": "{}"}}}\n'],
  ['tool', '.kube/config', 'apiVersion: v1\nusers: [{user: {token: {}}}]\n'],
  ['start', '.bashrc', '# {}\n'],
  ['start', '.zshrc', '# {}\n'],
  ['start', '.profile', '# {}\n'],
  ['start', '.gitconfig', '[user]\n\tname = {}\n'],
  ['start', '.claude/CLAUDE.md', '# Rules {}\n'],
  ['start', '.claude/settings.json', '{"about": "{}"}\n'],
  ['start', '.codex/AGENTS.md', '# Rules {}\n'],
  ['start', '.gemini/GEMINI.md', '# Rules {}\n'],
  ['start', '.openclaw/workspace/SOUL.md', '# Soul {}\n'],
  ['variable', 'OPENAI_API_KEY', 'sk-proj-{}'],
  ['variable', 'ANTHROPIC_API_KEY', 'sk-ant-{}'],
  ['variable', 'GITHUB_TOKEN', 'ghp_{}'],
  ['variable', 'AWS_SECRET_ACCESS_KEY', '{}'],
  ['variable', 'DATABASE_URL', 'postgres://app:{}@db.example/app'],
];

/** Files in the working folder that a script may be meant to work on. */
export const INPUTS: Readonly<Record<string, string>> = {
  'input.txt': 'A first line.\nA second line.\n',
  'input.csv': 'id,name\n1,a\n2,b\n',
  'input.json': '{"items": [{"id": 1, "name": "a"}]}\n',
  'input.md': '# Title\n\nText.\n',
};
