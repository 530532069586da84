import { CODEX_OWN_FILE } from '../../hosts/agents/codex.ts';
import { fail, type Outcome } from '../../model/outcome.ts';
import type { FrontmatterValue } from '../../model/skill.ts';
import { editFields } from '../../parse/yaml/edit-fields.ts';
import { isMap } from '../../parse/yaml/examine-yaml.ts';
import { readYaml } from '../../parse/yaml/read-yaml.ts';

/** The file by which a skill keeps itself from Codex's models. */
export const OPENAI_FILE: string = CODEX_OWN_FILE.path;

/** Sets `policy.allow_implicit_invocation: false` and keeps everything else. */
export function writeOpenaiFile(text: string): Outcome<{ readonly text: string }> {
  if (CODEX_OWN_FILE.says(text)) return { ok: true, text };
  const { map, faults } = readYaml(text);
  const policy = map?.get('policy');
  if (faults.length > 0 || (policy !== undefined && policy !== null && !isMap(policy)))
    return fail('CONFIG_INVALID', `${OPENAI_FILE}: ${faults[0]?.message ?? 'policy is not a map'}`, {
      edit: OPENAI_FILE,
    });
  const wanted = new Map<string, FrontmatterValue>(isMap(policy) ? policy : []);
  wanted.set('allow_implicit_invocation', 'false');
  const edited = editFields(text, new Map([['policy', wanted]]));
  // The editor writes text, and Codex wants a truth value.
  return edited.ok
    ? { ok: true, text: edited.yaml.replace(/^(\s+allow_implicit_invocation:\s*)"false"/m, '$1false') }
    : fail('CONFIG_INVALID', `${OPENAI_FILE}: ${edited.message}`, {
        advice: 'Add policy.allow_implicit_invocation: false by hand.',
      });
}
