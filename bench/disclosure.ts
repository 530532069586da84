import { isModelVisible } from '../src/catalog/view.ts';
import { toCatalogEntry } from '../src/disclose/catalog-entry.ts';
import { discloseCatalog, type CatalogDisclosure } from '../src/disclose/catalog-prompt.ts';
import { CATALOG_FORMATS } from '../src/disclose/formats/all-formats.ts';
import type { CatalogFormat } from '../src/disclose/formats/catalog-format.ts';
import { CHARACTERS_PER_TOKEN } from '../src/disclose/tokens.ts';
import type { CatalogFormatName } from '../src/model/catalog-format.ts';
import { compareText } from '../src/model/order.ts';
import type { Skill } from '../src/model/skill.ts';
import { explainSkip, VENDOR } from './real-skills.ts';
import { readEntries } from './retrieval.ts';
import { median, ms, type Section } from './table.ts';

const SKILLS = 1_000;
const WINDOW = 200_000;
const SHARES = [0.01, 0.02, 0.05];

/** How much of 1,000 real skills a model sees within a budget, beside what simpler cuts would leave it. */
export function measureDisclosure(): Section | string {
  const skip = explainSkip('disclosure', [VENDOR]);
  if (skip !== undefined) return skip;
  const skills = readSkills(SKILLS);
  // As on a person's machine: a few skills are in use, most are not.
  const lastUsed = new Map(skills.filter((_, at) => at % 50 === 7).map(({ name }, at) => [name, at]));
  const rows = SHARES.flatMap((share) =>
    (['xml', 'index'] as const).map((format) => measureRow(skills, { format, share, lastUsed })),
  );
  return {
    title: 'Catalog within a budget',
    note: `${skills.length} real skills, 20 of them used before. The budget is a share of a window of ${WINDOW.toLocaleString('en-US')} tokens, 4 characters each. "Named" is how many skills the text names, "described" how many of those with a description, whole or shortened. All or nothing: every description or none; then entries without one, by name, until the budget is spent. Alphabetical: whole entries by name until it is spent. Neither of those two says what is missing. Time is of all of it, after the first.`,
    columns: [
      'format',
      'budget',
      'tokens',
      'named',
      'described',
      'all or nothing',
      'alphabetical',
      'first time',
      'time',
    ],
    rows,
  };
}

interface Setting {
  readonly format: CatalogFormatName;
  readonly share: number;
  readonly lastUsed: ReadonlyMap<string, number>;
}

function measureRow(skills: readonly Skill[], { format, share, lastUsed }: Setting): readonly string[] {
  const budget = share * WINDOW;
  const times: number[] = [];
  let shown: CatalogDisclosure | undefined;
  for (let round = 0; round < 30; round += 1) {
    const start = performance.now();
    shown = discloseCatalog(skills, { format, budget, lastUsed });
    times.push(performance.now() - start);
  }
  const [first = 0, ...others] = times;
  const named = shown?.shown.length ?? 0;
  return [
    format,
    `${share * 100} %, ${budget}`,
    String(shown?.tokens),
    String(named),
    String(named - (shown?.named.length ?? 0)),
    describeCut(cutAllOrNothing(skills, format, budget)),
    describeCut(cutByName(skills, format, budget)),
    ms(first),
    ms(median(others)),
  ];
}

interface Cut {
  readonly named: number;
  readonly described: number;
}

function describeCut({ named, described }: Cut): string {
  return `${named} named, ${described} described`;
}

function cutAllOrNothing(skills: readonly Skill[], name: CatalogFormatName, budget: number): Cut {
  const whole = cutByName(skills, name, budget);
  if (whole.named === skills.length) return whole;
  const format = CATALOG_FORMATS[name];
  const lines = skills.map((skill) => format.entry({ ...toCatalogEntry(skill), text: '' }));
  const bare = lines.map((line) => line.replace('\n<description></description>', ''));
  return { named: countFitting(bare, format, budget), described: 0 };
}

function cutByName(skills: readonly Skill[], name: CatalogFormatName, budget: number): Cut {
  const format = CATALOG_FORMATS[name];
  const lines = skills.map((skill) => format.entry(toCatalogEntry(skill, format)));
  const named = countFitting(lines, format, budget);
  return { named, described: named };
}

/** How many of the first lines fit. */
function countFitting(lines: readonly string[], { entries, end }: CatalogFormat, budget: number): number {
  let room = CHARACTERS_PER_TOKEN * budget - entries.open.length - entries.close.length - end.length;
  const tooMany = lines.findIndex((line) => (room -= line.length) < 0);
  return tooMany === -1 ? lines.length : tooMany;
}

/** As many real skills from all parts of the corpus, by name, each name once. */
function readSkills(count: number): readonly Skill[] {
  const entries = readEntries(VENDOR);
  const byName = [...new Map(entries.map(({ skill }) => [skill.name, skill])).values()].filter(isModelVisible);
  const step = Math.max(1, Math.floor(byName.length / count));
  const chosen = byName.filter((_, at) => at % step === 0).slice(0, count);
  return chosen.sort((a, b) => compareText(a.name, b.name));
}
