import { AUDIT_ADVICE, summariseAudit } from '../../audit.ts';
import type { Skills, TrustInspection } from '../../index.ts';
import { fitToWidth } from '../../model/display-width.ts';
import { listSome } from '../../model/list-some.ts';
import { compareText } from '../../model/order.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { isOfSource } from '../input/source-filter.ts';
import { isConsented, readAllowed } from '../managing.ts';
import { CONSENT_HINT, describeFailure, reportFailure } from '../output/failure.ts';
import type { Output } from '../output/output.ts';

/** Looks at several skills, or all of some sources, in one go: one summary, one question. */
export async function trustMany(engine: Skills, invocation: Invocation): Promise<ExitCode> {
  const { isJson, out } = invocation;
  const wanted = listWanted(engine, invocation);
  if (!wanted.ok) return reportFailure(invocation, wanted);
  const looks: Look[] = [];
  for (const name of wanted.names) looks.push({ name, inspected: await engine.trust.inspect(name) });
  const open = looks.flatMap(({ inspected }) =>
    inspected.ok && inspected.trustedBecause === undefined ? [inspected] : [],
  );
  if (!isJson) printLooks(looks, open, invocation);
  const isWanted =
    open.length === 0 || (await isConsented(invocation, `Trust ${describeCount(open)} as they are now?`));
  if (!isWanted) {
    const message = `${describeCount(open)} ${open.length === 1 ? 'is' : 'are'} not trusted`;
    const refusal = fail('NOT_TRUSTED', message, CONSENT_HINT);
    if (!isJson) return reportFailure(invocation, refusal);
    out.json({ ...describeFailure(invocation, refusal), advice: AUDIT_ADVICE, skills: open.map(describeLook) });
    return 1;
  }
  return report(await grantAll(engine, looks, invocation), invocation);
}

/** Stops trusting several skills. */
export async function revokeMany(engine: Skills, invocation: Invocation): Promise<ExitCode> {
  const wanted = listWanted(engine, invocation);
  if (!wanted.ok) return reportFailure(invocation, wanted);
  const done: Done[] = [];
  for (const name of wanted.names) {
    const revoked = await engine.trust.revoke(name);
    const line = revoked.ok && revoked.wasTrusted ? 'is no longer trusted' : 'was not trusted';
    done.push({ name, line, outcome: revoked });
  }
  return report(done, invocation);
}

/** A skill, and what a person should know before trusting it. */
interface Look {
  readonly name: string;
  readonly inspected: Outcome<TrustInspection>;
}

function listWanted(engine: Skills, { args, options }: Invocation): Outcome<{ readonly names: readonly string[] }> {
  const { skills, shadowed } = engine.catalog();
  const sources = options.all('source');
  const empty = sources.find((source) => !skills.some((skill) => isOfSource(skill, [source])));
  if (empty !== undefined) {
    const hidden = shadowed.filter((skill) => isOfSource(skill, [empty])).map(({ name }) => `"${name}"`);
    if (hidden.length > 0) {
      const message = `other copies hide the skills of the source "${empty}": ${listSome(hidden, { most: 10 })}`;
      return fail('SKILL_NOT_FOUND', message, '`show --all` shows which; `prefer` chooses a copy.');
    }
    const known = [...new Set(skills.map(({ source }) => source))].sort(compareText).join(', ');
    return fail('SKILL_NOT_FOUND', `there are no skills of the source "${empty}"; there are some of ${known}`);
  }
  const found = skills.filter((skill) => skill.status !== 'broken' && isOfSource(skill, sources));
  return { ok: true, names: [...new Set([...args, ...found.map(({ name }) => name)])] };
}

function describeCount(skills: readonly unknown[]): string {
  return skills.length === 1 ? '1 skill' : `${skills.length} skills`;
}

function printLooks(looks: readonly Look[], open: readonly TrustInspection[], invocation: Invocation): void {
  const { out } = invocation;
  for (const inspection of open) printLook(inspection, out);
  if (open.length > 0) out.line({ text: AUDIT_ADVICE, style: 'dim' });
  const trusted = looks.filter(({ inspected }) => inspected.ok && inspected.trustedBecause !== undefined);
  if (trusted.length > 0)
    out.line(`${describeCount(trusted)} of them ${trusted.length === 1 ? 'is' : 'are'} trusted already.`);
}

const MAX_LINES = 3;

function printLook({ skill, files, audit, refused }: TrustInspection, out: Output): void {
  const { verdict, lines, more, scripts, programs } = summariseAudit(audit, { lines: MAX_LINES });
  const contents = [count(files.length, 'file'), count(scripts, 'script'), count(programs, 'program')];
  out.line({ text: skill.name, style: 'bold' }, `  ${skill.source}  ${contents.join(', ')}  audit: ${verdict}`);
  for (const line of lines) out.line('  ', { text: fitToWidth(line, out.columns - 2), style: 'yellow' });
  if (more > 0) out.line('  ', `and ${more} more; \`skillplane audit\` lists all`);
  if (refused.length > 0) out.line('  ', { text: 'not trusted without your yes to this audit', style: 'red' });
}

function describeLook({ skill, digest, files, audit, refused }: TrustInspection): object {
  const { name, source, dir } = skill;
  return { name, source, dir, digest, files: files.length, audit: summariseAudit(audit), refused };
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** One skill as it was dealt with. */
interface Done {
  readonly name: string;
  /** The line to print if it went well. */
  readonly line: string;
  readonly outcome: Outcome;
  readonly look?: TrustInspection;
}

async function grantAll(engine: Skills, looks: readonly Look[], { options }: Invocation): Promise<readonly Done[]> {
  const allow = readAllowed(options);
  const done: Done[] = [];
  for (const { name, inspected } of looks) {
    if (!inspected.ok) {
      done.push({ name, line: '', outcome: inspected });
      continue;
    }
    const { skill, digest, refused, trustedBecause } = inspected;
    // A person who says yes has seen the findings; `--yes` has not.
    const accepted = options.has('yes') ? allow : refused.map(({ rule }) => rule);
    const outcome =
      trustedBecause === undefined
        ? await engine.trust.grant(skill.name, digest, { allow: accepted })
        : ({ ok: true } as const);
    const line = `is trusted${trustedBecause === undefined ? ' until anything in its folder changes' : `: ${trustedBecause}`}`;
    done.push({ name: skill.name, line, outcome, look: inspected });
  }
  return done;
}

function report(done: readonly Done[], invocation: Invocation): ExitCode {
  const { isJson, out } = invocation;
  const isDone = done.every(({ outcome }) => outcome.ok);
  if (isJson) {
    const results = done.map(({ name, outcome, look }) => ({
      name,
      ...(look === undefined ? {} : describeLook(look)),
      ...(outcome.ok ? outcome : describeFailure(invocation, outcome)),
    }));
    out.json({ ok: isDone, results });
  } else {
    for (const { name, line, outcome } of done) {
      if (outcome.ok) out.line(`${name} ${line}.`);
      else reportFailure(invocation, outcome);
    }
  }
  return isDone ? 0 : 1;
}
