#!/usr/bin/env node
import { existsSync } from 'node:fs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(`skillplane-hub needs Node.js 22.18 or later; this is ${process.versions.node}\n`);
  process.exitCode = 1;
} else {
  const built = new URL('../dist/main.js', import.meta.url);
  const { main } = await import(existsSync(built) ? built.href : new URL('../src/main.ts', import.meta.url).href);
  process.exitCode = await main(process.argv.slice(2));
}
