import { basename } from 'node:path';

import { validate } from '../../author/validate.ts';
import type { TargetId } from '../../model/target-id.ts';
import type { Validation } from '../../parse/strict/validation.ts';
import { judgeForTargets } from '../../publish/targets/judge-for-targets.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { WrongUsage } from '../input/options.ts';
import { resolveSkillPaths } from '../input/skill-paths.ts';
import { readTargets } from '../input/targets.ts';
import type { Output } from '../output/output.ts';
import { printTargets, printTotals as printTargetTotals } from '../output/target-table.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { options, isJson, out } = invocation;
  if (options.has('properties')) return (await import('./read-properties.ts')).run(invocation);
  if (options.has('fix')) return (await import('./fix.ts')).run(invocation);
  const spec = options.has('spec');
  const targets = readTargets(options);
  if (spec && targets.length > 0) throw new WrongUsage('--spec and --for exclude each other; --for spec does the same');
  if (targets.length > 0) return judgeAndPrint(invocation, targets);
  const results = (await resolveSkillPaths(invocation)).flatMap((path) => validate(path, { spec }));
  const ok = results.every((result) => result.ok);
  if (isJson) {
    out.json({ ok, results, totals: countAll(results) });
    return ok ? 0 : 1;
  }
  for (const result of results) printResult(result, out);
  if (results.some(({ errors }) => errors.some(({ code }) => code === 'UNKNOWN_FIELD')))
    out.note(spec ? SPEC_FIELDS : FIELDS);
  if (results.length > 1) printTotals(results, out);
  return ok ? 0 : 1;
}

function findDirectories(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => validate(path).map((result) => result.path));
}

async function judgeAndPrint(invocation: Invocation, targets: readonly TargetId[]): Promise<ExitCode> {
  const { isJson, out } = invocation;
  const dirs = findDirectories(await resolveSkillPaths(invocation));
  const skills = dirs.map((path) => ({
    path,
    name: basename(path),
    verdicts: judgeForTargets(path, { for: targets }),
  }));
  const verdicts = skills.flatMap((skill) => skill.verdicts);
  const ok = verdicts.every(({ verdict }) => verdict !== 'refuses');
  if (isJson) out.json({ ok, results: skills });
  else {
    printTargets(skills, invocation);
    if (skills.length > 1) printTargetTotals(skills, out);
  }
  return ok ? 0 : 1;
}

const MOVING = '`skillplane validate --fix --spec` moves them there';
const FIELDS = `Put your own fields under metadata; ${MOVING}.`;
const SPEC_FIELDS = `Put other fields under metadata; ${MOVING}. Without --spec, Skillplane's own fields are allowed.`;

function printResult({ path, ok, errors, warnings }: Validation, out: Output): void {
  if (ok) out.line({ text: 'Valid skill: ', style: 'green' }, path);
  else out.error({ text: 'Validation failed for ', style: 'red' }, `${path}:`);
  for (const { message } of errors) out.error('  - ', message);
  // "Valid skill" goes to stdout, so a warning names the skill itself.
  for (const { message } of warnings)
    out.error({ text: '  warning: ', style: 'yellow' }, `${basename(path)}: ${message}`);
}

interface Totals {
  readonly skills: number;
  readonly valid: number;
  readonly errors: number;
  readonly warnings: number;
}

function countAll(results: readonly Validation[]): Totals {
  const sum = (size: (result: Validation) => number): number =>
    results.reduce((total, result) => total + size(result), 0);
  return {
    skills: results.length,
    valid: sum(({ ok }) => Number(ok)),
    errors: sum(({ errors }) => errors.length),
    warnings: sum(({ warnings }) => warnings.length),
  };
}

function printTotals(results: readonly Validation[], out: Output): void {
  const { skills, valid, errors, warnings } = countAll(results);
  out.note(`${skills} skills: ${valid} valid, ${skills - valid} invalid (errors: ${errors}, warnings: ${warnings})`);
}
