import { dirname, join } from 'node:path';

import { failBroken, isBroken } from '../../catalog/broken.ts';
import { listCopies, listWarnings, type Catalog } from '../../catalog/catalog.ts';
import { listBundledCopies } from '../../catalog/upgrade.ts';
import { listVisible } from '../../catalog/view.ts';
import { pluginName } from '../../config/plugin-name.ts';
import type { ConfigReading } from '../../config/read-config.ts';
import { quoteWord } from '../../model/shell-word.ts';
import type { Skill } from '../../model/skill.ts';
import type { SourceRoot } from '../../model/source.ts';
import type { Environment } from '../../platform/environment.ts';
import { exists } from '../../platform/files/files.ts';
import { openPublisher } from '../../publish/publisher.ts';
import { isUnreadable } from '../../sources/broken-skill.ts';
import { discoverCommandFiles } from '../../sources/command-files.ts';
import { openSkillLoader } from '../skill-loading.ts';
import { check, countOf, type Check } from './check.ts';

export function checkSources(catalog: Catalog): readonly Check[] {
  const { off = [] } = catalog;
  const copies = [...catalog.skills, ...catalog.shadowed];
  const unreadable = catalog.diagnostics.filter(({ code }) => code === 'SOURCE_UNREADABLE');
  const readable = catalog.roots.filter((root) => unreadable.every(({ path }) => path !== root.path));
  const missing = readable.filter((root) => !exists(root.path));
  const present = readable.filter((root) => exists(root.path));
  return [
    ...present.map((root) => {
      const count = copies.filter((skill) => skill.source === root.id && dirname(skill.dir) === root.path).length;
      return check('source', `${root.id}: ${root.path} (${countOf(count, 'skill', 'skills')})`);
    }),
    ...unreadable.map(({ path, message }) => {
      const id = catalog.roots.find((root) => root.path === path)?.id ?? 'a source';
      const remedy = 'Correct its permissions, or remove what is there instead of a folder.';
      return check('source', `${id}: ${path}: ${message}`, { status: 'error', remedy });
    }),
    ...missing.map((root) => describeMissing(root)),
    ...off
      .filter((root) => exists(root.path))
      .map((root) => {
        const remedy = `Add ${root.id} to \`enabledSources\` to use its skills.`;
        const action = { kind: 'setting', setting: 'enabledSources', change: 'add', value: root.id } as const;
        return check('source', `${root.id}: ${root.path} is switched off`, { status: 'info', remedy, action });
      }),
  ];
}

/** A missing folder is fine, unless the configuration names it. */
function describeMissing({ id, path, group }: SourceRoot): Check {
  const detail = `${id}: ${path} does not exist`;
  if (group !== 'Custom') return check('source', detail, { status: 'info' });
  return check('source', detail, { status: 'warning', remedy: 'Create the folder, or correct `customDirectories`.' });
}

export function checkSkills(catalog: Catalog): readonly Check[] {
  const { skills, shadowed } = catalog;
  const hidden = shadowed.filter((skill) => !isBroken(skill));
  const broken = [...skills, ...shadowed].filter(isBroken);
  const counts = [
    countOf(skills.length + shadowed.length - hidden.length, 'skill', 'skills'),
    ...(broken.length === 0 ? [] : [`${broken.length} of them broken`]),
    countOf(hidden.length, 'shadowed copy', 'shadowed copies'),
  ];
  const total = check('skills', counts.join(', '), { status: broken.length === 0 ? 'ok' : 'info' });
  const unavailable = skills
    .filter(({ status }) => status === 'unavailable')
    .map((skill) =>
      check('skills', `${skill.name}: ${skill.unavailableReason}`, {
        status: 'warning',
        remedy: 'Install the missing command.',
      }),
    );
  const found = [total, ...broken.map(describeBroken), ...unavailable];
  const warnings = listWarnings(catalog).filter(({ code }) => !REPORTED_APART.has(code));
  if (warnings.length === 0) return found;
  const remedy = '`show` lists them with the option `verbose`; `validate <path>` says how to repair each.';
  const detail = `${countOf(warnings.length, 'warning', 'warnings')} about skills`;
  return [...found, check('skills', detail, { status: 'warning', remedy })];
}

/** Checks of their own tell of these. */
const REPORTED_APART: ReadonlySet<string> = new Set(['CONFIG_IGNORED', 'SOURCE_UNREADABLE']);

/** A broken skill that is switched off is no trouble. */
function describeBroken(skill: Skill): Check {
  const { message, hint } = failBroken(skill);
  const standIn = skill.shadowedBy === undefined ? '' : `; ${skill.shadowedBy} is used instead`;
  const action = isUnreadable(skill.diagnostics) ? undefined : ({ kind: 'fix', dir: skill.dir } as const);
  return check('skills', `${message}${standIn}`, { status: skill.enabled ? 'error' : 'info', remedy: hint, action });
}

export function checkPlugins({ config: { plugins, pluginsDir }, files, diagnostics }: ConfigReading): readonly Check[] {
  const isUnknown = diagnostics.some(({ path, severity }) => path === files.user && severity === 'error');
  if (isUnknown && plugins.length === 0) return [];
  const missing = plugins.map(pluginName).filter((name) => !exists(join(pluginsDir, name)));
  const remedy = '`install` with the option `frozen` restores everything in the lock; `remove <name>` drops the entry.';
  return [
    check('plugins', `${plugins.length - missing.length} installed`),
    ...missing.map((name) =>
      check('plugins', `${name} is configured, but its folder is gone`, {
        status: 'warning',
        remedy,
        action: { kind: 'restore', skill: name },
      }),
    ),
  ];
}

/** Copies of bundled skills that an older version wrote. */
export function checkCopies(catalog: Catalog): readonly Check[] {
  const outdated = listBundledCopies(listCopies(catalog)).filter(({ isOutdated }) => isOutdated);
  return outdated.map(({ name, to, before, after }) => {
    const remedy = `\`update ${quoteWord(name)}\` brings it up to date and keeps your changes.`;
    const detail = `${name}: ${to} was copied from version ${before}; this is ${after}`;
    return check('bundled', detail, { status: 'warning', remedy, action: { kind: 'copy', skill: name } });
  });
}

/** Files in the `commands` folders of agents that give no slash command, or a flawed one. */
export function checkCommandFiles(catalog: Catalog, environment: Environment): readonly Check[] {
  const { commands, diagnostics } = discoverCommandFiles({ environment, catalog: () => catalog });
  const flawed = diagnostics.filter(({ severity }) => severity !== 'info');
  const total =
    commands.length === 0 ? [] : [check('slash', countOf(commands.length, 'command file', 'command files'))];
  return [
    ...total,
    ...flawed.map(({ path, line, message }) => {
      const place = line === undefined ? path : `${path}:${line}`;
      return check('slash', `${place}: ${message}`, {
        status: 'warning',
        remedy: 'Correct the file, or move it away.',
      });
    }),
  ];
}

/** Finds skills that the Skills extension of MCP cannot carry; clients still reach them through tools. */
export function checkPublishing(catalog: Catalog, environment: Environment): readonly Check[] {
  const publisher = openPublisher(openSkillLoader({ environment, catalog: () => catalog }));
  const visible = listVisible(catalog.skills);
  const faults = visible.flatMap((skill) => {
    const fault = publisher.findFault(skill);
    return fault === undefined ? [] : [{ skill, fault }];
  });
  const carried = visible.length - faults.length;
  const remedy = 'Correct the skill, or leave it: the tools and prompts of the MCP server offer it anyway.';
  return [
    check('mcp', `the Skills extension of MCP carries ${carried} of ${visible.length} skills`),
    ...faults.map(({ skill, fault }) =>
      check('mcp', `${skill.name} is not carried: ${fault}`, { status: 'warning', remedy }),
    ),
  ];
}
