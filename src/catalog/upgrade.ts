import { join } from 'node:path';

import { MAX_RESOURCE_BYTES, MAX_SKILL_FILE_BYTES } from '../model/limits.ts';
import { fail, type Outcome } from '../model/outcome.ts';
import { VERSION } from '../model/version.ts';
import { parseSkill } from '../parse/parse-skill.ts';
import { changeSkillText, replaceBody } from '../parse/skill-text.ts';
import { writeWhole } from '../platform/files/files.ts';
import { openSkillFolder } from '../platform/files/skill-folder.ts';

/** `kept`: the existing skill is the user's own, or was written by a newer version. */
export type UpgradeAction = 'created' | 'upgraded' | 'unchanged' | 'kept';

export interface UpgradeOptions {
  /** The bundled skill's directory. */
  readonly from: string;
  /** The copy's directory among the user's skills. */
  readonly to: string;
  readonly version?: string;
}

/**
 * Copies a bundled skill to a user's directory, or updates the copy. The copy records which version wrote it
 * (`producer_version`). A newer version replaces the instructions and files, and keeps the user's frontmatter. A skill
 * without a recorded version is the user's own and is never changed.
 */
export function upgradeBundledSkill({
  from,
  to,
  version = VERSION,
}: UpgradeOptions): Outcome<{ readonly action: UpgradeAction }> {
  const bundled = readText(from);
  if (!bundled.ok) return bundled;
  const copy = readText(to);
  if (!copy.ok && copy.code !== 'RESOURCE_NOT_FOUND') return copy;
  const fields = new Map([['producer_version', version]]);
  if (!copy.ok) return write({ from, to, text: changeSkillText(bundled.text, { fields }) }, 'created');
  const parsed = parseSkill(copy.text, { dir: to });
  if (!parsed.ok) return fail('PARSE_FAILED', parsed.message);
  const { producerVersion } = parsed.skill;
  if (producerVersion === version) return { ok: true, action: 'unchanged' };
  if (producerVersion === undefined || compareVersions(producerVersion, version) > 0)
    return { ok: true, action: 'kept' };
  const head = changeSkillText(copy.text, { fields });
  return write(
    { from, to, text: head.ok ? { ok: true, text: replaceBody(head.text, bundled.text) } : head },
    'upgraded',
  );
}

function readText(dir: string): Outcome<{ readonly text: string }> {
  const folder = openSkillFolder(dir);
  const content = folder.read('SKILL.md', MAX_SKILL_FILE_BYTES);
  if (!content.ok) return fail(content.code, `${join(dir, 'SKILL.md')}: ${content.message}`);
  return { ok: true, text: new TextDecoder().decode(content.bytes) };
}

interface Copying {
  readonly from: string;
  readonly to: string;
  readonly text: Outcome<{ readonly text: string }>;
}

/** Writes SKILL.md last, so that the instructions never refer to files that do not exist yet. */
function write({ from, to, text }: Copying, action: UpgradeAction): Outcome<{ readonly action: UpgradeAction }> {
  if (!text.ok) return text;
  const folder = openSkillFolder(from);
  for (const { path, executable } of folder.files().files.filter((file) => file.path !== 'SKILL.md')) {
    const content = folder.read(path, MAX_RESOURCE_BYTES);
    if (!content.ok) return fail(content.code, `${join(from, path)}: ${content.message}`);
    const written = writeWhole(join(to, path), content.bytes, { mode: executable ? 0o755 : 0o644 });
    if (!written.ok) return written;
  }
  const written = writeWhole(join(to, 'SKILL.md'), text.text);
  return written.ok ? { ok: true, action } : written;
}

/** Compares the numbers between the dots; ignores everything after a hyphen or plus. */
function compareVersions(a: string, b: string): number {
  const parts = (version: string): readonly number[] =>
    (version.split(/[-+]/)[0] ?? '').split('.').map((part) => Number.parseInt(part, 10) || 0);
  const [left, right] = [parts(a), parts(b)];
  for (let index = 0; index < Math.max(left.length, right.length); index += 1) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
