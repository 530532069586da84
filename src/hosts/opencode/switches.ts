import type { HostPlace } from '../host.ts';
import type { HostSkill, Switches, SwitchState } from '../seeing/host-skill.ts';
import { faultsOf, objectOf, type SettingsFile } from '../seeing/settings-file.ts';
import { readOpencodeSettings } from './settings.ts';

/** Seen in 1.18.33: `permission.skill` is one word, or words by pattern, of which the last that fits counts. */
export function readOpencodeSwitches(place: HostPlace): Switches {
  const files = readOpencodeSettings(place);
  const rules = mergeRules(files);
  return { files: files.map(({ path }) => path), faults: faultsOf(files), stateOf: (skill) => judge(skill, rules) };
}

interface Rule {
  readonly pattern: string;
  readonly action: string;
  readonly file: string;
}

/** A pattern that a stronger file gives again keeps its place. */
function mergeRules(files: readonly SettingsFile[]): readonly Rule[] {
  const rules = new Map<string, Rule>();
  for (const { path, values } of files) {
    const permission = values['permission'];
    const skill = typeof permission === 'string' ? permission : objectOf(permission)['skill'];
    const given = typeof skill === 'string' ? { '*': skill } : objectOf(skill);
    for (const [pattern, action] of Object.entries(given))
      if (typeof action === 'string') rules.set(pattern, { pattern, action, file: path });
  }
  return [...rules.values()];
}

function judge({ name }: HostSkill, rules: readonly Rule[]): SwitchState | undefined {
  const rule = rules.findLast(({ pattern }) => toExpression(pattern).test(name));
  if (rule?.action !== 'deny') return undefined;
  return {
    state: 'hidden',
    file: rule.file,
    because: `permission.skill in ${rule.file} denies "${rule.pattern}"`,
    remedy: `Add "${name}": "allow" behind that pattern.`,
  };
}

/** A star stands for any text, a question mark for one character. */
function toExpression(pattern: string): RegExp {
  const source = pattern
    .replaceAll(/[$()+.[\\\]^{|}]/g, String.raw`\$&`)
    .replaceAll(/\*+/g, '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's');
}
