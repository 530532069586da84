import { resolve } from 'node:path';

import { publishSkills, type PublishedSite } from '../../publish.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { WrongUsage } from '../input/options.ts';
import { resolveSkillPaths } from '../input/skill-paths.ts';
import { readTargets } from '../input/targets.ts';
import { reportFailure } from '../output/failure.ts';
import type { Output } from '../output/output.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { options, cwd, isJson, out } = invocation;
  const to = options.text('to');
  if (to === undefined) throw new WrongUsage('publish needs --to <folder>, the folder of the site');
  const dryRun = options.has('dryRun');
  const published = await publishSkills(await resolveSkillPaths(invocation), {
    to: resolve(cwd, to),
    url: options.text('url'),
    title: options.text('title'),
    noPages: options.has('noPages'),
    for: readTargets(options),
    allow: options.all('allow'),
    dryRun,
  });
  if (!published.ok) return reportFailure(invocation, published);
  if (isJson) out.json(published);
  else printSite(published, dryRun, out);
  return 0;
}

function printSite({ to, skills, unlisted, written }: PublishedSite, dryRun: boolean, out: Output): void {
  const width = Math.max(0, ...skills.map(({ name }) => name.length));
  for (const { name, version, state, digest } of skills)
    out.line(`${state.padEnd(9)}  ${name.padEnd(width)}  ${version}  `, { text: digest.slice(0, SHORT), style: 'dim' });
  for (const name of unlisted) out.line(`${'unlisted'.padEnd(9)}  ${name}`);
  const files = `${written.length} ${written.length === 1 ? 'file' : 'files'}`;
  out.note(dryRun ? `Would write ${files} to ${to}.` : `Wrote ${files} to ${to}. Any web server can serve it.`);
}

const SHORT = 'sha256:'.length + 12;
