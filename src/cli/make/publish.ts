import type { Outcome } from '../../model/outcome.ts';
import { plural } from '../../model/plural.ts';
import { readEnvironment } from '../../platform/environment.ts';
import { isHubScope, publishToHub, type HubPublication } from '../../publish/hub/publish-to-hub.ts';
import { publishSkills, type PublishedSite } from '../../publish/site/publish-site.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { WrongUsage } from '../input/options.ts';
import { resolvePath, resolveSkillPaths } from '../input/skill-paths.ts';
import { readTargets } from '../input/targets.ts';
import { describeFailure, reportFailure } from '../output/failure.ts';
import type { Output } from '../output/output.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { options, cwd, isJson, out } = invocation;
  if (options.has('manifests')) return (await import('./emit.ts')).run(invocation);
  const to = options.text('to');
  if (to === undefined) throw new WrongUsage('publish needs --to: a folder, @team, or https://your.hub/@team');
  if (isHubScope(to)) return publishAll(invocation, to);
  const dryRun = options.has('dryRun');
  const published = await publishSkills(await resolveSkillPaths(invocation), {
    to: resolvePath(to, cwd),
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

async function publishAll(invocation: Invocation, to: string): Promise<ExitCode> {
  const { options, cwd, env, isJson, out } = invocation;
  const settings = {
    environment: readEnvironment({ cwd, env }),
    to,
    version: options.text('versionNumber'),
    tag: options.text('tag'),
    allow: options.all('allow'),
  };
  const results: Outcome<HubPublication>[] = [];
  for (const path of await resolveSkillPaths(invocation)) results.push(await publishToHub(path, settings));
  const ok = results.every((result) => result.ok);
  if (isJson) {
    const documents = results.map((result) => (result.ok ? result : describeFailure(result)));
    out.json(documents.length === 1 ? documents[0] : { ok, results: documents });
    return ok ? 0 : 1;
  }
  for (const result of results) {
    if (result.ok) printPublication(result, out);
    else reportFailure(invocation, result);
  }
  return ok ? 0 : 1;
}

function printPublication(publication: HubPublication, out: Output): void {
  const { scope, name, version, state, unchanged, waitsFor, warnings } = publication;
  out.line(`@${scope}/${name}@${version} `, unchanged ? `is already ${state}, with the same content` : `is ${state}`);
  for (const reason of waitsFor) out.note(`  waits for: ${reason}`);
  for (const warning of warnings) out.note(`  ${warning}`);
}

function printSite({ to, skills, unlisted, written }: PublishedSite, dryRun: boolean, out: Output): void {
  const width = Math.max(0, ...skills.map(({ name }) => name.length));
  for (const { name, version, state, digest } of skills)
    out.line(`${state.padEnd(9)}  ${name.padEnd(width)}  ${version}  `, { text: digest.slice(0, SHORT), style: 'dim' });
  for (const name of unlisted) out.line(`${'unlisted'.padEnd(9)}  ${name}`);
  const files = plural(written.length, 'file');
  out.note(dryRun ? `Would write ${files} to ${to}.` : `Wrote ${files} to ${to}. Any web server can serve it.`);
}

const SHORT = 'sha256:'.length + 12;
