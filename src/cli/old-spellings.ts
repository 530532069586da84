/** The old name of a command, and its replacement. */
export interface OldSpelling {
  /** The name of the command now. */
  readonly now: string;
  /** Options that the old spelling implies. The arguments, as one text, are the value of the first, if it takes one. */
  readonly implies?: readonly string[];
  /** Options that the old spelling implies unless this one is given. */
  readonly unless?: Readonly<Record<string, string>>;
}

/** Commands that were renamed. Old spellings keep working with their options, but help does not list them. */
export const oldSpellings: Readonly<Record<string, OldSpelling>> = {
  match: { now: 'prompt', implies: ['--message'] },
  'to-prompt': { now: 'prompt' },
  tools: { now: 'run' },
  call: { now: 'run' },
  outdated: { now: 'update', implies: ['--dry-run'] },
  import: { now: 'install', implies: ['--from-tools'] },
  plugins: { now: 'manage list' },
  verify: { now: 'manage verify' },
  rollback: { now: 'manage rollback' },
  hold: { now: 'manage hold' },
  unhold: { now: 'manage unhold' },
  pin: { now: 'manage pin' },
  unpin: { now: 'manage unpin' },
  prefer: { now: 'manage prefer' },
  'manage enable': { now: 'enable' },
  'manage disable': { now: 'disable' },
  'manage update': { now: 'update' },
  'manage outdated': { now: 'update', implies: ['--dry-run'] },
  'manage remove': { now: 'remove' },
  fix: { now: 'validate', implies: ['--fix'], unless: { '--write': '--dry-run' } },
  'read-properties': { now: 'validate', implies: ['--properties'] },
  emit: { now: 'publish', implies: ['--manifests'] },
  hosts: { now: 'agents' },
  'hosts connect': { now: 'agents connect', implies: ['--yes'] },
  'hosts disconnect': { now: 'agents disconnect' },
  explain: { now: 'agents explain' },
  hook: { now: 'agents hook' },
  completion: { now: 'config completion' },
};
