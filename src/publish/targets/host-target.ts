import type { KnownHost } from '../../hosts/host.ts';
import { parseSkillText } from '../../hosts/seeing/skill-text.ts';
import { findMisnaming } from '../../hosts/seeing/walk.ts';
import { MAX_RESOURCE_BYTES } from '../../model/limits.ts';
import type { NextStep } from '../../model/next-step.ts';
import { refuses, type GivingTarget, type TargetFinding, type TargetSkill } from './target.ts';

/** A host as a target: reads the skill as the host does, by the facts in the host's folder. */
export function hostTarget(host: KnownHost): GivingTarget {
  return { id: host.id, title: host.title, seenIn: host.seenIn, judge: (skill) => judgeForHost(host, skill) };
}

function judgeForHost(host: KnownHost, skill: TargetSkill): readonly TargetFinding[] {
  const text = parseSkillText(skill.bytes, host.reading.dialect);
  const judged = host.reading.judge(text, skill.id);
  const loss = findMisnaming(skill.file) ?? judged.loss;
  if (loss !== undefined) return [refuses(loss.because, loss.next)];
  const { cut } = host.listing.describe({ description: judged.description, fields: text.fields });
  const cuts = cut === undefined ? [] : [{ effect: 'cuts' as const, message: cut.because, next: cut.next }];
  return [...cuts, ...findIgnored(host, skill)];
}

/** Fields that inform people, and have no effect anywhere. */
const INFORMATION = new Set(['name', 'description', 'license', 'compatibility', 'metadata']);

function findIgnored(host: KnownHost, { folder, id, fields }: TargetSkill): readonly TargetFinding[] {
  const { ownFile } = host;
  const own = ownFile === undefined ? undefined : folder.read(ownFile.path, MAX_RESOURCE_BYTES);
  const isSaid = own?.ok === true && ownFile?.says(Buffer.from(own.bytes).toString()) === true;
  const effective = new Set([...host.fields, ...(isSaid && ownFile !== undefined ? [ownFile.field] : [])]);
  const ignored = [...fields.keys()].filter((field) => !INFORMATION.has(field) && !effective.has(field)).sort();
  const findings: TargetFinding[] = [];
  const name = fields.get('name');
  if (host.naming === 'directory' && typeof name === 'string' && name.trim() !== id)
    findings.push({ effect: 'ignores', message: `the name ${name.trim()}: there it is called ${id}, as its folder` });
  if (ignored.length === 0) return findings;
  const isHidden = ownFile !== undefined && ignored.includes(ownFile.field);
  const next: NextStep | undefined = isHidden ? { do: 'emit', host: host.id } : undefined;
  return [...findings, { effect: 'ignores', message: ignored.join(', '), ...(next !== undefined && { next }) }];
}
