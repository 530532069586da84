const ENDINGS: ReadonlyMap<string, string> = new Map([
  ['sh', 'bash'],
  ['bash', 'bash'],
  ['zsh', 'zsh'],
  ['py', 'python3'],
  ['js', 'node'],
  ['mjs', 'node'],
  ['cjs', 'node'],
  ['ts', 'node'],
  ['mts', 'node'],
  ['cts', 'node'],
  ['rb', 'ruby'],
  ['pl', 'perl'],
  ['php', 'php'],
  ['lua', 'lua'],
  ['ps1', 'powershell'],
  ['bat', 'cmd'],
  ['cmd', 'cmd'],
  ['applescript', 'osascript'],
]);

const SHEBANG = /^(?:\uFEFF)?#!\s?([^\r\n]{1,200})/;

/** Whether a file says in its first line what runs it. */
export function hasShebang(head: string): boolean {
  return SHEBANG.test(head);
}

/** A file's interpreter, by its shebang line or else its extension; undefined without either. */
export function findInterpreter(path: string, head: string): string | undefined {
  const [program, ...words] = (SHEBANG.exec(head)?.[1] ?? '').trim().split(/\s+/);
  const name = lastSegment(program ?? '');
  const told = name === 'env' ? words.find((word) => !word.startsWith('-') && !word.includes('=')) : name;
  if (told !== undefined && told !== '') return lastSegment(told);
  return ENDINGS.get(/\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '');
}

/** Whether an interpreter is a shell. */
export function isShell(interpreter: string | undefined): boolean {
  return /^(?:ba|z|da|k|fi)?sh$|^powershell$|^cmd$/.test(interpreter ?? '');
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
