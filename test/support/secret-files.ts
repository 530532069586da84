const KEY_BODY = 'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAABlwAAAAdzc2gtcnNhAAAA'.repeat(3);

/** Files that nobody means to give away, by their path in a skill. */
export const SECRET_FILES: Readonly<Record<string, string>> = {
  '.env': 'PORT=3000\nDATABASE_PASSWORD=correct-horse\n',
  'config/.env.production.local': 'STRIPE=rk_1\n',
  'prod.env': 'A=b\n',
  id_rsa: 'anything',
  'keys/id_ed25519': `-----BEGIN OPENSSH PRIVATE KEY-----\n${KEY_BODY}\n-----END OPENSSH PRIVATE KEY-----\n`,
  '.npmrc': '//registry.example.com/:_authToken=8f14e45f-ceea-467f-a6b4-c1d2e3f4a5b6\n',
  'certs/server.pem':
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\nMIIE\n',
  'tls.key': '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE\n-----END EC PRIVATE KEY-----\n',
  'credentials.json': JSON.stringify({ installed: { client_id: '42', client_secret: 'GOCSPX-k1d9sQ' } }),
  'service-account.json': JSON.stringify({ private_key: `-----BEGIN PRIVATE KEY-----\n${KEY_BODY}\n` }),
  'data.json': JSON.stringify({ pem: `-----BEGIN PRIVATE KEY-----\n${KEY_BODY}\n` }),
  '.aws/credentials': '[default]\naws_secret_access_key = wJalrXUtnFEMIK7MDENGbPxRfiCYzq\n',
  '.netrc': 'machine api.example.com login me password correct-horse\n',
  'secrets.yaml': 'db:\n  password: correct-horse\n',
  'release.keystore': 'binary',
  'vault/team.kdbx': 'binary',
  'login.keychain-db': 'binary',
  'secring.gpg': 'binary',
  '.env~': 'DATABASE_PASSWORD=correct-horse\n',
  'id_rsa.old': 'anything',
  '.envrc': 'export API_TOKEN=correct-horse\n',
  env: 'export AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIK7MDENGbPxRfiCYzq\n',
  'deploy/.env/production': 'DATABASE_PASSWORD=correct-horse\n',
  'cookies.txt': '# Netscape HTTP Cookie File\n.example.com\tTRUE\t/\tTRUE\t0\tsession\tcorrect-horse\n',
  'terraform.tfstate': JSON.stringify({ outputs: { password: { value: 'correct-horse' } } }),
};

/** Files of such names that hold nothing secret. */
export const HARMLESS_FILES: Readonly<Record<string, string>> = {
  '.env.example': 'DATABASE_PASSWORD=correct-horse\n',
  'config/.env.local.sample': 'A=b\n',
  'id_rsa.pub': 'ssh-rsa AAAAB3NzaC1yc2E me\n',
  '.npmrc': 'registry=https://registry.example.com\n//registry.example.com/:_authToken=${NPM_TOKEN}\n',
  'certs/ca.pem': '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
  'deck.key': 'a presentation',
  'credentials.json': JSON.stringify({ client_id: 'YOUR_CLIENT_ID', client_secret: '<your secret>', token: null }),
  'credentials.md': 'Put your password: into .env\n',
  'secrets.yaml': 'password: ${DB_PASSWORD}\ntoken: "{{ token }}"\n',
  '.envrc': 'use flake\nexport API_TOKEN=$(pass show api)\n',
  env: '# PORT is 3000\n',
  'scripts/environment.sh': 'export API_TOKEN="$1"\n',
};
