import { splitGlobs } from '../../parse/fields.ts';
import type { HostPlace } from '../host.ts';
import type { HostSkill, Switches, SwitchState } from '../seeing/host-skill.ts';
import { faultsOf, objectOf, type SettingsFile } from '../seeing/settings-file.ts';
import { fieldText } from '../seeing/skill-text.ts';
import { readClaudeSettings } from './settings.ts';

/** Values of `skillOverrides`, seen in 2.1.325. */
const STATES: Readonly<Record<string, SwitchState['state'] | undefined>> = {
  'name-only': 'named',
  'user-invocable-only': 'hidden',
  off: 'hidden',
};

/** `skillOverrides` has no effect on the skills of plugins. `permissions.deny` hides nothing: it only refuses the call. */
export function readClaudeSwitches(place: HostPlace): Switches {
  const files = readClaudeSettings(place);
  return {
    files: files.map(({ path }) => path),
    faults: faultsOf(files),
    stateOf: (skill) => findOverride(skill, files) ?? findOwnSwitch(skill),
  };
}

function findOverride({ name, root }: HostSkill, files: readonly SettingsFile[]): SwitchState | undefined {
  if (root.level === 'plugin') return undefined;
  for (const { path, values } of files) {
    const value = objectOf(values['skillOverrides'])[name];
    if (typeof value !== 'string') continue;
    const state = STATES[value];
    if (state === undefined) return undefined;
    return {
      state,
      file: path,
      because: `skillOverrides in ${path} says "${value}"`,
      remedy: `Set skillOverrides["${name}"] to "on" there, or remove the entry.`,
    };
  }
  return undefined;
}

/** Any of these switches it off. */
const TRUE: ReadonlySet<string> = new Set(['true', 'yes', 'on', '1']);

function findOwnSwitch({ fields }: HostSkill): SwitchState | undefined {
  if (TRUE.has(fieldText(fields, 'disable-model-invocation')?.toLowerCase() ?? ''))
    return {
      state: 'hidden',
      because: 'its own frontmatter says disable-model-invocation: true',
      remedy: 'Remove that line; until then only users start it, with a slash.',
    };
  const paths = fields.get('paths') ?? [];
  const globs = (typeof paths === 'string' ? splitGlobs(paths) : Array.isArray(paths) ? paths : []).filter(
    (glob) => glob !== '' && glob !== '**' && glob !== '/**',
  );
  if (globs.length === 0) return undefined;
  return {
    state: 'hidden',
    because: 'its frontmatter names paths, so it waits until a matching file is touched',
    remedy: 'Remove paths to have it listed from the start.',
  };
}
