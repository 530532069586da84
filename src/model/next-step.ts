import { quoteWord } from './shell-word.ts';

/**
 * A step that the caller can take after a failure or a finding, as data: each surface says it in its own way, and nothing decides by
 * its words. Which steps are left to the user follows from the kind and the operation (`isForUser`).
 */
export type NextStep =
  | OperationStep
  /** Changes a setting of the configuration. */
  | { readonly set: string; readonly to: string }
  | { readonly set: string; readonly add: string }
  /** Call again with this option of the library; `as` is an example value, `aim` its effect. */
  | { readonly give: string; readonly as?: string | readonly string[]; readonly aim?: string }
  /** Calls again without this option. */
  | { readonly leaveOut: string }
  /** One of these was meant. */
  | { readonly choose: readonly string[] }
  | { readonly retry: 'now' | 'later' }
  /** Corrects this file by hand. */
  | { readonly edit: string }
  | { readonly moveAway: string }
  /** Only the user can do this; whole sentences. */
  | { readonly ask: 'user'; readonly to: string }
  /** The caller can do this itself; whole sentences. */
  | { readonly advice: string }
  | { readonly either: readonly NextStep[] };

/** Run an operation on this subject, with these options. */
export interface OperationStep {
  readonly do: OperationName;
  readonly skill?: string;
  readonly path?: string;
  readonly address?: string;
  readonly host?: string;
  readonly query?: string;
  readonly source?: string;
  readonly with?: Readonly<Record<string, string | true>>;
}

export type OperationName =
  | 'audit'
  | 'config'
  | 'connect'
  | 'console'
  | 'disable'
  | 'doctor'
  | 'emit'
  | 'enable'
  | 'explain'
  | 'fix'
  | 'install'
  | 'login'
  | 'plugins'
  | 'prefer'
  | 'remove'
  | 'restore'
  | 'search'
  | 'show'
  | 'sync'
  | 'trust'
  | 'update'
  | 'validate';

interface OperationFacts {
  /** Its command, if that has another name, and the options that it always has. */
  readonly command?: string;
  readonly with?: OperationStep['with'];
  /** Does its command take no skill, because it always concerns all of them? */
  readonly isWhole?: boolean;
  /** Its purpose, where the name does not say it. */
  readonly aim?: string;
  /** May a model do it without asking the user? It changes nothing and grants nothing. */
  readonly isForModel?: boolean;
}

const OPERATIONS: Readonly<Record<OperationName, OperationFacts>> = {
  audit: { aim: 'see what was found' },
  config: { command: 'config list', aim: 'see all settings' },
  connect: { command: 'agents connect', aim: 'add the MCP server and the hook' },
  console: {},
  disable: { aim: 'turn it off' },
  doctor: {},
  emit: { command: 'publish', with: { manifests: true }, aim: 'say the same in its own file' },
  enable: { aim: 'turn it on' },
  explain: { command: 'agents explain', aim: 'see what it lists and why' },
  fix: { command: 'validate', with: { fix: true }, aim: 'fix what can be fixed' },
  install: {},
  login: {},
  plugins: { command: 'manage list', aim: 'list what is installed' },
  prefer: { command: 'manage prefer', aim: 'choose a copy' },
  remove: {},
  restore: { command: 'install', with: { frozen: true }, aim: 'reinstall everything in the lock file', isWhole: true },
  search: { aim: 'search by task', isForModel: true },
  show: { aim: 'see which', isForModel: true },
  sync: {},
  trust: { aim: 'review and trust it' },
  update: {},
  validate: { aim: 'list all problems' },
};

/** Every operation that a step may name. */
export const OPERATION_NAMES: readonly OperationName[] = Object.keys(OPERATIONS).filter(
  (name): name is OperationName => name in OPERATIONS,
);

/** Is this left to the user? A model must not do it, even if it could. Of several steps, each is judged separately. */
export function isForUser(step: NextStep): boolean {
  if ('either' in step) return step.either.every(isForUser);
  if ('do' in step) return OPERATIONS[step.do].isForModel !== true;
  if ('give' in step) return USER_OPTIONS.has(step.give);
  return 'set' in step || 'edit' in step || 'moveAway' in step || 'ask' in step;
}

/** Options that accept a risk. */
const USER_OPTIONS: ReadonlySet<string> = new Set(['allow', 'yes']);

/** How a surface writes calls and options. */
export interface StepDialect {
  /** An option of the call that failed. */
  readonly option: (name: string, value?: string) => string;
  /** An operation; `words` are those of its command, quoted for a shell. */
  readonly operation: (words: string) => string;
}

/** Library names for options, and commands for operations. */
export const PLAIN: StepDialect = {
  option: (name, value) => (value === undefined ? `\`${name}\`` : `\`${name}: ${value}\``),
  operation: (words) => `\`skillplane ${words}\``,
};

/** A step in whole sentences. Names and paths in it are not encoded for any reader. */
export function describeNext(step: NextStep, dialect: StepDialect = PLAIN): string {
  const steps = 'either' in step ? step.either.flatMap((one) => ('either' in one ? one.either : [one])) : [step];
  const [first] = steps;
  if (steps.length === 1 && first !== undefined && 'choose' in first && first.choose.length === 1)
    return `Did you mean ${first.choose[0]}?`;
  const sentences: string[] = [];
  let clauses: string[] = [];
  const end = (): void => {
    if (clauses.length > 0) sentences.push(`${capitalize(clauses.join(', or '))}.`);
    clauses = [];
  };
  for (const one of steps) {
    const isFirst = sentences.length + clauses.length === 0;
    if (!('ask' in one || 'advice' in one)) {
      const clause = describeClause(one, dialect);
      clauses.push(isFirst || clauses.length > 0 ? clause : `or ${clause}`);
      continue;
    }
    end();
    const sentence = 'ask' in one ? one.to : one.advice;
    sentences.push(isFirst ? sentence : `Or: ${sentence}`);
  }
  end();
  return sentences.join(' ');
}

type Clause = Exclude<NextStep, { readonly ask: 'user' } | { readonly advice: string }>;

function describeClause(step: Clause, dialect: StepDialect): string {
  if ('either' in step) return step.either.map((one) => describeNext(one, dialect)).join(' ');
  if ('do' in step) {
    const { aim } = OPERATIONS[step.do];
    return `run ${dialect.operation(commandOf(step))}${aim === undefined ? '' : ` to ${aim}`}`;
  }
  if ('set' in step) return `run ${dialect.operation(commandOf(step))}`;
  if ('give' in step) {
    const aim = step.aim === undefined ? '' : ` to ${step.aim}`;
    const values = typeof step.as === 'string' ? [step.as] : step.as;
    const options = values?.map((value) => dialect.option(step.give, value)) ?? [dialect.option(step.give)];
    return `use ${options.join(' ')}${aim}`;
  }
  if ('leaveOut' in step) return `leave out ${dialect.option(step.leaveOut)}`;
  if ('choose' in step) return `choose one of ${step.choose.join(', ')}`;
  if ('retry' in step) return step.retry === 'now' ? 'try again' : 'try again later';
  return 'edit' in step ? `correct ${step.edit} by hand` : `move ${step.moveAway} away`;
}

/** The words after `skillplane` that carry out a step, quoted for a shell. */
export function commandOf(step: Extract<NextStep, { readonly do: unknown } | { readonly set: unknown }>): string {
  if ('set' in step)
    return 'add' in step
      ? `config set ${quoteWord(`${step.set}+=${step.add}`)}`
      : `config set ${step.set} ${quoteWord(step.to)}`;
  const { skill, path, address, host, query, source } = step;
  const { command = step.do, isWhole = false, with: always } = OPERATIONS[step.do];
  const subjects = isWhole ? [] : [skill, path, address, host, query, source].filter((word) => word !== undefined);
  const words = (options: OperationStep['with'] = {}): readonly string[] =>
    Object.entries(options).flatMap(([name, value]) =>
      value === true ? [toFlag(name)] : [toFlag(name), quoteWord(value)],
    );
  return [command, ...words(always), ...subjects.map(quoteWord), ...words(step.with)].join(' ');
}

/** `tokenFile` is `--token-file`. */
export function toFlag(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The same data with every string changed. */
export function mapTexts<T>(data: T, change: (text: string) => string): T {
  // The structure stays; only strings change.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return mapUnknown(data, change) as T;
}

function mapUnknown(data: unknown, change: (text: string) => string): unknown {
  if (typeof data === 'string') return change(data);
  if (Array.isArray(data)) return data.map((item) => mapUnknown(item, change));
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, mapUnknown(value, change)]));
}

function capitalize(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
