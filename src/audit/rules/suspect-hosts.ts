/** Whether an IPv4 address (dotted, or as one number) is public: not local, private, reserved for examples or a well-known resolver. */
export function isForeignAddress(address: string): boolean {
  const parts = address.includes('.') ? address.split('.').map(Number) : splitNumber(Number(address));
  const [a = 0, b = 0, c = 0] = parts;
  if (parts.some((part) => part > 255)) return false;
  if (a === 0 || a === 10 || a === 127 || a >= 224) return false;
  if ((a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168) || (a === 169 && b === 254)) return false;
  if (a === 100 && b >= 64 && b < 128) return false;
  const isExample =
    (a === 192 && b === 0 && c === 2) || (a === 198 && b === 51 && c === 100) || (a === 203 && b === 0 && c === 113);
  return !isExample && !/^(?:1\.2\.3\.4|8\.8\.[48]\.[48]|1\.1\.1\.1|1\.0\.0\.1|5\.6\.7\.8|9\.9\.9\.9)$/.test(address);
}

function splitNumber(number: number): readonly number[] {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256);
}

/** Hosts that people and agents trust without a second look. */
const WELL_KNOWN = [
  'amazonaws.com',
  'anthropic.com',
  'bitbucket.org',
  'claude.ai',
  'cloudflare.com',
  'coinbase.com',
  'docker.com',
  'dropbox.com',
  'github.com',
  'github.io',
  'githubusercontent.com',
  'gitlab.com',
  'google.com',
  'googleapis.com',
  'huggingface.co',
  'metamask.io',
  'microsoft.com',
  'modelcontextprotocol.io',
  'npmjs.com',
  'npmjs.org',
  'openai.com',
  'paypal.com',
  'pypi.org',
  'pythonhosted.org',
  'slack.com',
  'stripe.com',
  'telegram.org',
  'vercel.com',
] as const;

/** Real names that are one letter away from a well-known one. */
const HONEST_NEIGHBOURS: ReadonlySet<string> = new Set([
  'openapi',
  'pypi',
  'slick',
  'black',
  'stack',
  'snack',
  'claud',
]);

/** Whether an authority (`user@host:port`) imitates a well-known host. */
export function isImitatedHost(authority: string): boolean {
  const [host = '', user] = authority.toLowerCase().split('@').toReversed();
  if (user !== undefined) return NAME.test(user);
  const name = host.replace(/:\d*$/, '').replace(/\.$/, '');
  if (!NAME.test(name)) return false;
  if (name.split('.').some((label) => label.startsWith('xn--'))) return true;
  if (WELL_KNOWN.some((known) => name === known || name.endsWith(`.${known}`))) return false;
  return WELL_KNOWN.some((known) => isPrefixOf(known, name)) || isNearKnown(labelOf(name));
}

const NAME = /^[\w-]{1,63}(?:\.[\w-]{1,63}){1,20}$/;

/** `github.com.evil.net`, `github-com.net` */
function isPrefixOf(known: string, name: string): boolean {
  const isLong = known.indexOf('.') > 5;
  return (
    (isLong && (name.startsWith(`${known}.`) || name.includes(`.${known}.`))) ||
    name.startsWith(`${known.replace('.', '-')}.`)
  );
}

function labelOf(name: string): string {
  return name.split('.').at(-2) ?? '';
}

const SHORTEST_LABEL = 6;
const KNOWN_LABELS = new Set(WELL_KNOWN.map(labelOf).filter(({ length }) => length >= SHORTEST_LABEL));

function isNearKnown(label: string): boolean {
  if (KNOWN_LABELS.has(label) || HONEST_NEIGHBOURS.has(label)) return false;
  return KNOWN_LABELS.has(unmask(label)) || [...KNOWN_LABELS].some((known) => isOneSlipAway(label, known));
}

/** Replaces digits and letter pairs that look like a letter. */
function unmask(label: string): string {
  return label
    .replaceAll('0', 'o')
    .replaceAll('1', 'l')
    .replaceAll('3', 'e')
    .replaceAll('5', 's')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}

/** One letter added, removed or changed, or two neighbours swapped. */
function isOneSlipAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) [endA, endB] = [endA - 1, endB - 1];
  const [restA, restB] = [a.slice(start, endA), b.slice(start, endB)];
  const isSwap = restA.length === 2 && restB.length === 2 && restA[0] === restB[1] && restA[1] === restB[0];
  return isSwap || (restA.length <= 1 && restB.length <= 1);
}

/** Hosts from which well-known tools are installed. */
const INSTALLERS = new Set(
  `aka.ms amazon.com amazonaws.com ampcode.com anaconda.com anthropic.com anza.xyz apify.com aspire.dev astral.sh atuin.sh aws.dev azure.com
  azureedge.net brew.sh bun.com bun.sh chainguard.dev chatgpt.com chocolatey.org claude.ai claude.com clickhouse.com cloudflare.com conda.io
  cursor.com dagger.io datadoghq.com deno.com deno.land determinate.systems docker.com dot.net duckdb.org earthly.dev elastic.co expo.dev
  factory.ai fermyon.com flutter.dev fluxcd.io fly.io google.com googleapis.com grafana.com gstatic.com hashicorp.com haskell.org helm.sh
  heroku.com hf.co huggingface.co jdx.dev julialang.org k3s.io k8s.io kubernetes.io linkerd.io localstack.cloud microsoft.com min.io mise.run
  modal.com moonrepo.dev neon.com neon.tech netlify.com ngrok.com nixos.org nodesource.com npmjs.com npmjs.org nvidia.com ollama.ai ollama.com
  openai.com opencode.ai paradigm.xyz pdm-project.org pixi.sh pnpm.io prisma.io pulumi.com pyenv.run pypi.org python-poetry.org python.org
  pytorch.org railway.app railway.com rclone.org rustup.rs rvm.io sdkman.io semgrep.dev sentry.io shopify.com shopify.dev snyk.io solana.com
  starship.rs stripe.com supabase.com tailscale.com terraform.io turso.tech vercel.com volta.sh warp.dev wasmer.io wasmtime.dev
  yarnpkg.com zed.dev`.split(/\s+/),
);
/** Owners on hosts that anyone can use. */
const OWNERS = new Set(
  `anchore anthropics apache aquasecurity argoproj asdf-vm astral-sh aws awslabs azure bazelbuild cilium cli cloudflare dapr denoland docker
  dotnet elastic fluxcd github gitleaks golang golangci google googleapis googlecloudplatform grafana hashicorp helm homebrew huggingface istio
  jqlang junegunn k3s-io kubernetes kubernetes-sigs langchain-ai microsoft mikefarah moby nodejs nvidia nvm-sh ohmyzsh open-policy-agent openai
  oven-sh pulumi pyenv python rancher rbenv rust-lang semgrep sharkdp sigstore snyk starship supabase tektoncd trufflesecurity vercel`.split(
    /\s+/,
  ),
);

/** Whether an address is one from which a well-known tool is installed. */
export function isKnownInstaller(address: string): boolean {
  const [host = '', owner = ''] = splitAddress(address);
  if (host === 'raw.githubusercontent.com' || host === 'github.com') return OWNERS.has(owner);
  return INSTALLERS.has(domainOf(host));
}

/** Hosts of packages and code that many people use. */
const REGISTRIES = new Set(
  `aliyun.com anaconda.org crates.io github.com githubusercontent.com gitlab.com jfrog.io jsr.io npmmirror.com pkg.dev pythonhosted.org
  rubygems.org tsinghua.edu.cn visualstudio.com`.split(/\s+/),
);

/** Whether an address is a registry or an archive of code that many people use. */
export function isKnownRegistry(address: string): boolean {
  const [host = ''] = splitAddress(address);
  return isKnownInstaller(address) || REGISTRIES.has(domainOf(host)) || host.endsWith('.tsinghua.edu.cn');
}

/** The host and the first segment of the path, in lower case. */
function splitAddress(address: string): readonly string[] {
  const [, host = '', owner = ''] =
    /^(?:\w{2,6}:\/\/)?(?:[^/@]{1,60}@)?([^/:?#]{1,253})(?::\d{1,5})?\/?([\w.-]{0,60})/.exec(address) ?? [];
  return [host.toLowerCase(), owner.toLowerCase()];
}

function domainOf(host: string): string {
  return host.split('.').slice(-2).join('.');
}

/** Hosts where anyone can put a program or a page within minutes. */
const FREE_HOSTS =
  /(?:^|\.)(?:vercel\.app|netlify\.app|pages\.dev|workers\.dev|web\.app|firebaseapp\.com|herokuapp\.com|onrender\.com|surge\.sh|glitch\.me|repl\.co|replit\.app|000webhostapp\.com|weebly\.com|wixsite\.com|blogspot\.com|trycloudflare\.com|ngrok\.\w{2,3}|ngrok-free\.app|mediafire\.com|mega\.nz|gofile\.io|catbox\.moe|transfer\.sh|cdn\.discordapp\.com|t\.me|bit\.ly|tinyurl\.com|t\.ly|is\.gd|cutt\.ly|rebrand\.ly|shorturl\.at|rb\.gy|pastebin\.com|rentry\.(?:co|org)|glot\.io|hastebin\.com|paste\.ee|sites\.google\.com|telegra\.ph|controlc\.com)(?:\.|$)/;
const PROGRAM = /\.(?:exe|msi|dmg|pkg|zip|rar|7z|command|scr|bat|appimage|iso)$/i;

/** Whether an address is on a host where anyone can put something, or has no name at all. */
export function isFreeHost(address: string): boolean {
  const [host = ''] = splitAddress(address);
  return FREE_HOSTS.test(host) || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host);
}

/** Whether an address leads to a program on a host that tells nothing about its owner. */
export function isDubiousDownload(address: string): boolean {
  const [host = ''] = splitAddress(address);
  const path = address
    .replace(/^\w+:\/\/[^/]*/, '')
    .replace(/[?#].*$/, '')
    .replace(/[.,;*_]+$/, '');
  const isAddress = /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host);
  if (isAddress) return isForeignAddress(host);
  if (FREE_HOSTS.test(host)) return path.length > 1 && !/^\/(?:docs|api)\b/.test(path);
  return PROGRAM.test(path) && !isKnownRegistry(address);
}

/** Packages that many projects use. */
const PACKAGES: readonly string[] =
  `requests numpy pandas matplotlib scikit-learn tensorflow fastapi pydantic sqlalchemy beautifulsoup4 selenium pillow cryptography urllib3
  setuptools colorama python-dotenv openai anthropic langchain transformers openpyxl python-docx playwright pyyaml aiohttp pytest paramiko
  psycopg2 lodash express typescript webpack eslint prettier commander dotenv cross-env mongoose puppeteer discord.js socket.io nodemon moment
  jsonwebtoken electron jquery nextjs vitest`.split(/\s+/);
const OTHER_PACKAGES: ReadonlySet<string> = new Set(
  `request expresso pytests openapi opena vite vitess dotenvx prettierd moments selenium4 pillow-simd lodash-es anthropics psycopg psycopg3`.split(
    ' ',
  ),
);

/** Whether a package has nearly the name of one that many projects use. */
export function isImitatedPackage(name: string): boolean {
  const lower = name.toLowerCase();
  if (lower.length < SHORTEST_LABEL - 1 || PACKAGES.includes(lower) || OTHER_PACKAGES.has(lower)) return false;
  return PACKAGES.some((known) => unmask(lower) === known || (known.length >= 5 && isOneSlipAway(lower, known)));
}
