import { dirname } from 'node:path';

import { isMap } from '../../parse/yaml/examine-yaml.ts';
import { readYaml } from '../../parse/yaml/read-yaml.ts';
import { realPath } from '../../platform/files/files.ts';
import { readInside } from '../../platform/files/inside.ts';
import type { HostPlace, OwnFile } from '../host.ts';
import type { HostSkill, Switches, SwitchState } from '../seeing/host-skill.ts';
import { faultsOf, objectOf } from '../seeing/settings-file.ts';
import { readCodexSettings, skillsTable } from './settings.ts';

/** Seen in 0.166.0. `disable-model-invocation` has no effect here. */
const OWN_FILE = 'agents/openai.yaml';
const MAX_OWN_BYTES = 64 * 1024;

/** Keeps a skill from the model by `policy.allow_implicit_invocation`. */
export const CODEX_OWN_FILE: OwnFile = {
  path: OWN_FILE,
  field: 'disable-model-invocation',
  says(text) {
    const policy = readYaml(text).map?.get('policy');
    return isMap(policy) && policy.get('allow_implicit_invocation') === 'false';
  },
};

/** Later rules win. A rule names either the SKILL.md file or the skill; one that names both, or a folder, has no effect. */
export function readCodexSwitches(place: HostPlace): Switches {
  const file = readCodexSettings(place);
  const table = skillsTable(file);
  const rules = Array.isArray(table['config']) ? table['config'].map(objectOf) : [];
  const isBundledOff = objectOf(table['bundled'])['enabled'] === false;
  return {
    files: [file.path],
    faults: faultsOf([file]),
    stateOf(skill) {
      if (skill.root.level === 'bundled' && isBundledOff)
        return {
          state: 'hidden',
          file: file.path,
          because: `skills.bundled.enabled is false in ${file.path}`,
          remedy: 'Remove that line.',
        };
      const rule = rules.findLast((each) => isMeant(each, skill));
      if (rule === undefined || rule['enabled'] !== false) return findOwnSwitch(skill);
      return {
        state: 'hidden',
        file: file.path,
        because: `[[skills.config]] in ${file.path} switches it off`,
        remedy: 'Remove that entry, or set enabled = true there.',
      };
    },
  };
}

function isMeant({ path, name }: Readonly<Record<string, unknown>>, skill: HostSkill): boolean {
  if (typeof path === 'string' && typeof name === 'string') return false;
  if (typeof name === 'string') return name.trim() === skill.name;
  return typeof path === 'string' && (path === skill.realFile || realPath(path) === skill.realFile);
}

/** `policy.allow_implicit_invocation` in the skill's own file. */
function findOwnSwitch({ realFile }: HostSkill): SwitchState | undefined {
  const read = readInside(dirname(realFile), OWN_FILE, { maxBytes: MAX_OWN_BYTES });
  if (!read.ok) return undefined;
  if (!CODEX_OWN_FILE.says(read.bytes.toString())) return undefined;
  return {
    state: 'hidden',
    because: `its ${OWN_FILE} says policy.allow_implicit_invocation: false`,
    remedy: 'Remove that line; until then only users start it, with $.',
  };
}
