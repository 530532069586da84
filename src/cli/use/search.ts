import { splitResults, type ScorePart, type SkillSearchResult, type Skills } from '../../index.ts';
import { fitToWidth } from '../../model/display-width.ts';
import type { Skill } from '../../model/skill.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { WrongUsage } from '../input/options.ts';
import { openEngine } from '../open-engine.ts';
import { reportFailure } from '../output/failure.ts';
import type { Output } from '../output/output.ts';

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { args, options, isJson, out } = invocation;
  const query = args.join(' ');
  const remote = options.text('remote');
  if (remote !== undefined) return runRemote(remote, query, invocation);
  if (args.length === 0) throw new WrongUsage('search needs a query', 'To list every skill, use `skillplane show`.');
  const filters = { tags: options.all('tag'), domain: options.text('domain'), limit: options.count('limit') ?? 10 };
  const withParts = options.has('explain');
  await using engine = await openEngine(invocation);
  const results = await engine.search({ query, ...filters, withParts, onReading: reportReading(out) });
  reportUnusable(engine, query, invocation);
  const { partial } = results;
  if (isJson) out.json({ ok: true, query, results, ...(partial === undefined ? {} : { partial }) });
  else print(results, invocation);
  for (const { reason } of partial ?? []) out.note(`Not complete: ${reason}.`);
  return 0;
}

async function runRemote(address: string, query: string, invocation: Invocation): Promise<ExitCode> {
  const { options, isJson, out, cwd, env } = invocation;
  // Lazy: searching your own skills needs no installer.
  const { searchRemote } = await import('../../install.ts');
  const limit = options.count('limit') ?? (query === '' ? Number.MAX_SAFE_INTEGER : 10);
  const found = await searchRemote(address, { cwd, env, query, limit });
  if (!found.ok) return reportFailure(invocation, found);
  const { from, total, results, diagnostics } = found;
  if (isJson) {
    out.json({ ok: true, query, from, total, results, diagnostics });
    return 0;
  }
  out.note(`${from}: ${total} ${total === 1 ? 'skill' : 'skills'}`);
  for (const { path, message } of diagnostics) out.note(path === '' ? message : `${path}: ${message}`);
  print(results, invocation);
  return 0;
}

/** Prints the weak results apart: they share words with the query, but may not serve it. */
function print(results: readonly SkillSearchResult[], { options, out }: Invocation): void {
  const printEach = (group: readonly SkillSearchResult[]): void => {
    for (const { name, description, score, confidence, reasons, nearDuplicates, parts } of group) {
      const line = description.split('\n', 1)[0] ?? '';
      // A list of everything has no scores.
      const shown = score > 0 ? score.toFixed(2) : '    ';
      out.line({ text: shown, style: 'cyan' }, '  ', { text: name, style: 'bold' });
      out.line('      ', fitToWidth(line, out.columns - 6));
      if (!options.has('explain')) {
        if (nearDuplicates !== undefined)
          out.line('      ', { text: `nearly the same: ${nearDuplicates.join(', ')}`, style: 'dim' });
        continue;
      }
      for (const reason of reasons) out.line('      ', { text: reason, style: 'dim' });
      if (score > 0) out.line('      ', { text: `confidence ${confidence.toFixed(2)}`, style: 'dim' });
      for (const line of explainParts(parts ?? [])) out.line('      ', { text: line, style: 'dim' });
    }
  };
  const { strong, weak } = splitResults(results);
  printEach(strong);
  if (results.length === 0) out.note('No skill matches.');
  if (weak.length === 0) return;
  out.line(strong.length === 0 ? 'No skill matches well. Weak matches:' : 'Weak matches:');
  printEach(weak);
}

/** The parts of a relevance, with the points that each adds. */
function explainParts(parts: readonly ScorePart[]): readonly string[] {
  return parts
    .filter(({ points }) => Math.abs(points) >= 0.05)
    .map(({ part, points }) => `${points.toFixed(1).padStart(5)}  ${PART_TITLES[part]}`);
}

const PART_TITLES: Readonly<Record<ScorePart['part'], string>> = {
  chosenBefore: 'chosen before',
  strength: 'words of the request, by how strongly the skill speaks of them',
  covered: 'share of the request that the skill covers',
  section: 'share of the request in one section of the instructions',
  nameSaid: 'share of the name that the request says',
  nameWhole: 'the request says the whole name',
  metadataPairs: 'neighbouring words, in name, description or tags',
  instructionPairs: 'neighbouring words, in the instructions',
  excluded: 'what the skill says it is not for',
  emphasisStrength: 'words that tell the task, by strength',
  emphasisCovered: 'words that tell the task, anywhere',
  emphasisMetadata: 'words that tell the task, in name, description or tags',
  emphasisName: 'words that tell the task, in the name',
  emphasisInstructions: 'words that tell the task, in the instructions',
  emphasisMetadataPairs: 'neighbours that tell the task, in name, description or tags',
  emphasisInstructionPairs: 'neighbours that tell the task, in the instructions',
};

/** Explains why a skill that was searched for by its exact name is not among the results. */
function reportUnusable(engine: Skills, query: string, { out, renderHint }: Invocation): void {
  const asked = query.toLowerCase();
  const isNamed = ({ name, id }: Skill): boolean => name.toLowerCase() === asked || id.toLowerCase() === asked;
  const catalog = engine.catalog();
  const skills = catalog.skills;
  // Nearly all are enabled, so that few names are compared.
  const skill = skills.find((one) => one.status !== 'enabled' && isNamed(one));
  if (skill === undefined || skills.some((one) => one.status === 'enabled' && isNamed(one))) return;
  const { name, status, reasons } = skill;
  const why = reasons.join('; ');
  out.note(`${name} is ${status}: `, status === 'broken' ? renderHint(why) : why);
}

/** Explains the wait of the first search over many skills: once, and on a terminal how far it has come. */
function reportReading(out: Output): (left: number) => void {
  let total: number | undefined;
  return (left) => {
    if (total === undefined) out.note(`Reading ${left} new skills; the next search will be faster.`);
    total ??= left;
    out.status(left === 0 ? '' : `${total - left} of ${total} read`);
  };
}
