import {
  changeSetting,
  prepareConfig,
  readSetting,
  readSettings,
  type SettingChange,
  type SettingState,
} from '../../config/change-setting.ts';
import { findConfigSchema } from '../../config/schema-file.ts';
import { fail } from '../../model/outcome.ts';
import { findEditor } from '../../platform/editor.ts';
import type { ExitCode, Invocation } from '../command.ts';
import { editFile } from '../input/edit-file.ts';
import { WrongUsage } from '../input/options.ts';
import { reportFailure } from '../output/failure.ts';

const ACTIONS: Readonly<Record<string, (invocation: Invocation) => Promise<ExitCode>>> = {
  list,
  get,
  set: (invocation) => change(invocation, readAssignment(invocation.args.slice(1))),
  unset: (invocation) => change(invocation, { kind: 'unset', setting: needSetting(invocation) }),
  edit,
  path,
};

export async function run(invocation: Invocation): Promise<ExitCode> {
  const [action = 'list'] = invocation.args;
  const found = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (found === undefined)
    throw new WrongUsage(`unknown action "${action}"`, `config takes ${Object.keys(ACTIONS).join(', ')}.`);
  if (invocation.options.has('schema') && action !== 'path')
    throw new WrongUsage('--schema only works with the action path');
  return found(invocation);
}

async function list(invocation: Invocation): Promise<ExitCode> {
  const { cwd, env, isJson, out } = invocation;
  const { settings, files } = await readSettings({ cwd, env });
  if (isJson) {
    out.json({ ok: true, files, settings });
    return 0;
  }
  const width = Math.max(...settings.map(({ name }) => name.length));
  for (const setting of settings) {
    const from = setting.files.length === 0 ? '' : `  # ${setting.files.join(', ')}`;
    const isSet = setting.files.length > 0;
    out.line({ text: setting.name.padEnd(width), style: isSet ? 'bold' : 'dim' }, `  ${renderSpaced(setting)}`, {
      text: from,
      style: 'dim',
    });
  }
  return 0;
}

async function get(invocation: Invocation): Promise<ExitCode> {
  const { cwd, env, isJson, out } = invocation;
  const name = needSetting(invocation);
  const read = await readSetting(name, { cwd, env });
  if (!read.ok) return reportFailure(invocation, read);
  if (isJson) out.json({ ok: true, ...read.setting });
  else out.line(render(read.setting));
  return 0;
}

async function change(invocation: Invocation, wanted: SettingChange): Promise<ExitCode> {
  const { cwd, env, options, isJson, out } = invocation;
  const done = await changeSetting(wanted, { cwd, env, project: options.has('project') });
  if (!done.ok) return reportFailure(invocation, done);
  const isChanged = done.changed.length > 0;
  if (isJson) out.json({ ok: true, setting: wanted.setting, changed: isChanged, file: done.path });
  else
    out.line(
      isChanged ? `Changed ${wanted.setting} in ${done.path}.` : `No change: ${wanted.setting} already has this value.`,
    );
  return 0;
}

async function edit(invocation: Invocation): Promise<ExitCode> {
  const { cwd, env, options } = invocation;
  const editor = findEditor(env);
  if (editor === undefined) return reportFailure(invocation, NO_EDITOR);
  const prepared = await prepareConfig({ cwd, env, project: options.has('project') });
  if (!prepared.ok) return reportFailure(invocation, prepared);
  const problem = await editFile(editor, prepared.path, env);
  if (problem !== undefined) return reportFailure(invocation, fail('STORE_FAILED', problem));
  return 0;
}

async function path({ cwd, env, options, isJson, out }: Invocation): Promise<ExitCode> {
  const { files } = await readSettings({ cwd, env });
  const own = options.has('project') ? files.project : files.user;
  const file = options.has('schema') ? findConfigSchema() : own;
  if (isJson) out.json({ ok: true, path: file });
  else out.raw(file);
  return 0;
}

const NO_EDITOR = fail('STORE_FAILED', 'no editor is set', {
  ask: 'user',
  to: 'Set $EDITOR, or open the file that `skillplane config path` prints.',
});

/** `key value`, `key=value`, `key+=value` or `key-=value`. */
function readAssignment([first = '', value]: readonly string[]): SettingChange {
  const [, setting = '', sign = '', text] = /^(\w+)([+-]?)=(.*)$/s.exec(first) ?? [];
  if (setting !== '' && text !== undefined && value === undefined)
    return { kind: sign === '+' ? 'add' : sign === '-' ? 'remove' : 'set', setting, text };
  if (setting === '' && first !== '' && value !== undefined) return { kind: 'set', setting: first, text: value };
  throw new WrongUsage('config set needs a setting and a value', 'Usage: skillplane config set <setting> <value>');
}

function needSetting({ args: [action, setting] }: Invocation): string {
  if (setting !== undefined) return setting;
  throw new WrongUsage(`config ${action} needs a setting`, 'See all settings with `skillplane config list`.');
}

/** With blanks, where a terminal can wrap it. */
function renderSpaced({ value }: SettingState): string {
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 1).replaceAll(/\n */g, ' ');
}

function render({ value }: SettingState): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
