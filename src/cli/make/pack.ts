import { plural } from '../../model/plural.ts';
import { ARCHIVE_FORMATS } from '../../parse/archives/pack-files.ts';
import { pack, type PackedArchive } from '../../publish/pack.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { resolvePath, resolveSkillPaths } from '../input/skill-paths.ts';
import { readTargets } from '../input/targets.ts';
import { reportFailure } from '../output/failure.ts';
import type { Output } from '../output/output.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { options, cwd, isJson, out } = invocation;
  const settings = {
    format: options.oneOf('format', ARCHIVE_FORMATS),
    for: readTargets(options),
    allow: options.all('allow'),
    to: resolvePath(options.text('to') ?? '.', cwd),
  };
  const paths = await resolveSkillPaths(invocation);
  const results = await Promise.all(paths.map((path) => pack(path, settings)));
  const ok = results.every((result) => result.ok);
  if (isJson) {
    const documents = results.map((result) => ({ ...result, bytes: undefined }));
    out.json(documents.length === 1 ? documents[0] : { ok, results: documents });
    return ok ? 0 : 1;
  }
  for (const result of results) {
    if (result.ok) printPacked(result, out);
    else reportFailure(invocation, result);
  }
  return ok ? 0 : 1;
}

function printPacked(
  { name, version, path, size, files, digest, skillDigest, leftOut }: PackedArchive,
  out: Output,
): void {
  const contents = `${plural(files.length, 'file')}, ${size} bytes`;
  out.line({ text: 'Packed ', style: 'green' }, `${[name, version].filter(Boolean).join(' ')}: ${path} (${contents})`);
  // Without margins: both fit 80 columns, and can be copied as one word.
  out.exactLine('archive ', digest);
  out.exactLine('skill   ', skillDigest);
  for (const entry of leftOut) out.note('  left out: ', entry.path);
}
