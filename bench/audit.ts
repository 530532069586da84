import { basename } from 'node:path';

import { auditContents } from '../src/audit/audit-repository.ts';
import { judgeFindings } from '../src/audit/policy.ts';
import { readExamples } from './audit/examples.ts';
import { CORPUS, readLines } from './real-skills.ts';
import type { Section } from './table.ts';

const LIMITS = ['critical', 'high', 'medium'] as const;

/**
 * Counts which skills the audit refuses, by family. Rules were tuned on half of the families: the others show what they are
 * worth. `--missed` lists the examples of a kind that the audit gets wrong.
 */
export async function measureAudit(args: readonly string[] = []): Promise<Section> {
  const rows: Row[] = [];
  for (const kind of ['malicious', 'benign'] as const) {
    const judged: Judged[] = [];
    for (const { family, half, files } of readExamples(kind)) {
      const refused = await judge(files);
      judged.push({ family, half, refused });
      const isWrong = kind === 'malicious' ? !refused.has('medium') : refused.has('high');
      if (isWrong && args.includes('--missed')) console.log(`${kind} ${half} ${family}: ${JSON.stringify(files)}`);
    }
    for (const [family, group] of Map.groupBy(judged, (one) => `${one.family} (${one.half})`))
      rows.push(count(`${kind}: ${family}`, group));
    for (const half of ['tune', 'held'] as const)
      rows.push(
        count(
          `**${kind}, ${half === 'tune' ? 'tuned on' : 'held out'}**`,
          judged.filter((one) => one.half === half),
        ),
      );
  }
  for (const path of CORPUS) {
    const judged: Judged[] = [];
    for (const { text } of readLines(path)) judged.push({ refused: await judge({ 'SKILL.md': text }) });
    rows.push(count(`**real skills, ${basename(path)}**`, judged));
  }
  return {
    title: 'Audit',
    note: 'Share of skills refused with `auditFailOn` at critical (the default), high and medium. The examples are our own (`bench/audit/`); rules were tuned on the misses of half of the families. One author wrote rules and examples, and saw the figures of both halves, so unseen attacks do worse. Real skills are SKILL.md files alone; `wild` contains some that are malicious.',
    columns: ['skills', 'number', 'refused by default', '≥ high', '≥ medium'],
    rows: rows.map(({ name, number, shares }) => [name, String(number), ...shares.map((share) => `${share} %`)]),
  };
}

interface Judged {
  readonly family?: string;
  readonly half?: string;
  readonly refused: ReadonlySet<string>;
}

async function judge(files: Readonly<Record<string, string>>): Promise<ReadonlySet<string>> {
  const contents = Object.entries(files).map(([path, text]) => ({ path, executable: false, bytes: Buffer.from(text) }));
  const { findings } = await auditContents(contents);
  return new Set(LIMITS.filter((failOn) => judgeFindings(findings, { failOn, allow: [] }).refused.length > 0));
}

interface Row {
  readonly name: string;
  readonly number: number;
  readonly shares: readonly string[];
}

function count(name: string, judged: readonly Judged[]): Row {
  const shares = LIMITS.map((limit) => {
    const refused = judged.filter((one) => one.refused.has(limit)).length;
    return ((100 * refused) / Math.max(judged.length, 1)).toFixed(1);
  });
  return { name, number: judged.length, shares };
}
