#!/usr/bin/env node
// Plain JavaScript, so that an old Node can read it: it starts the command line, with the Node that a checkout
// carries if this one is too old.
const NEEDED = [22, 18];
const [major, minor] = process.versions.node.split('.').map(Number);

if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) {
  // Importing them would take longer: an `import` makes a module around each.
  const [fs, module, os, path] = ['fs', 'module', 'os', 'path'].map((name) => process.getBuiltinModule(`node:${name}`));
  // Compiled code is kept in our own cache, never in a folder that others can write to, or that a project brings.
  const compiled = path.join(process.env.AGENT_HOME || path.join(os.homedir(), '.agent'), 'cache', 'compiled');
  const isKept = module.getCompileCacheDir() === undefined && !process.env.NODE_DISABLE_COMPILE_CACHE;
  if (isKept && path.isAbsolute(compiled) && closeFolder(fs, compiled)) module.enableCompileCache(compiled);
  // Stack traces, which only debugging shows, then point to the sources.
  if (process.env.SKILLPLANE_DEBUG) process.setSourceMapsEnabled(true);
  const built = new URL('../dist/cli.js', import.meta.url);
  const { main } = await import(
    fs.existsSync(built) ? built.href : new URL('../src/cli/main.ts', import.meta.url).href
  );
  process.exitCode = await main(process.argv.slice(2));
} else {
  process.exitCode = await startWithCarriedNode();
}

/** Creates a folder that only its owner can enter; false if that is not possible. Node would create it for everyone. */
function closeFolder(fs, dir) {
  try {
    fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
    fs.chmodSync(dir, 0o700);
    return true;
  } catch {
    return false;
  }
}

async function startWithCarriedNode() {
  const { spawn } = await import('node:child_process');
  const { existsSync } = await import('node:fs');
  const { constants } = await import('node:os');
  const { fileURLToPath } = await import('node:url');
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const carried = new URL(`../node_modules/node-${platform}-${process.arch}/bin/${name}`, import.meta.url);
  if (!existsSync(carried)) {
    process.stderr.write(`skillplane needs Node.js ${NEEDED.join('.')} or newer; this is ${process.versions.node}.\n`);
    return 1;
  }
  const script = fileURLToPath(import.meta.url);
  const child = spawn(fileURLToPath(carried), [script, ...process.argv.slice(2)], { stdio: 'inherit' });
  // A terminal sends Ctrl-C to both processes; other signals are meant for that one, too.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const [code, signal] = await new Promise((resolve) => child.on('close', (...end) => resolve(end)));
  return code ?? 128 + constants.signals[signal];
}
