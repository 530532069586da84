import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';

import { fail } from '../../model/outcome.ts';
import { splitCommand } from '../../model/split-command.ts';
import type { ChangeAnswer } from '../console-context.ts';

/** Editors that open a window of their own. Others need the terminal, which the console does not have to give. */
const WINDOWED: ReadonlySet<string> = new Set([
  'code',
  'code-insiders',
  'codium',
  'cursor',
  'windsurf',
  'subl',
  'zed',
  'zeditor',
  'atom',
  'gedit',
  'kate',
  'kwrite',
  'gvim',
  'mate',
  'bbedit',
  'idea',
  'webstorm',
  'pycharm',
  'goland',
  'notepad',
  'notepad++',
  'emacsclient',
  'xed',
  'pluma',
]);

/** Opens the SKILL.md in the editor that $VISUAL or $EDITOR names, and does not wait for it. */
export const editSkill: ChangeAnswer<'skill/edit'> = async ({ skills }, { name }) => {
  const found = skills.find(name);
  if (!found.ok) return found;
  const { file } = found.skill;
  const { variables } = skills.environment;
  const [command, ...args] = splitCommand(variables['VISUAL']?.trim() || variables['EDITOR']?.trim() || '');
  const here = `Set $VISUAL to an editor with a window of its own, such as code, or open ${file} yourself.`;
  if (command === undefined) return fail('CONFIG_INVALID', 'neither $VISUAL nor $EDITOR names an editor', here);
  if (!WINDOWED.has(basename(command).replace(/\.(?:exe|cmd)$/i, '')))
    return fail('CONFIG_INVALID', `${command} needs a terminal, so this page cannot open it`, here);
  const child = spawn(command, [...args, file], { stdio: 'ignore', detached: true, env: { ...variables } });
  try {
    await once(child, 'spawn');
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    return fail('CONFIG_INVALID', `${command} could not be started: ${String(error.code)}`, here);
  }
  child.unref();
  return { ok: true, command };
};
