import { dirname, join } from 'node:path';

import { failBroken, isBroken } from '../../catalog/broken.ts';
import { listCopies, listWarnings, type Catalog } from '../../catalog/catalog.ts';
import { isSpare } from '../../catalog/state.ts';
import { listBundledCopies } from '../../catalog/upgrade.ts';
import { pluginName } from '../../config/plugin-name.ts';
import type { ConfigReading } from '../../config/read-config.ts';
import type { NextStep } from '../../model/next-step.ts';
import { plural } from '../../model/plural.ts';
import type { Skill } from '../../model/skill.ts';
import { exists } from '../../platform/files/files.ts';

export type CheckStatus = 'ok' | 'info' | 'warning' | 'error';

/** The result of one check; `next` is the step to take, if any. */
export interface Check {
  readonly area: string;
  readonly status: CheckStatus;
  readonly detail: string;
  readonly next: NextStep | undefined;
}

export function check(area: string, detail: string, { status = 'ok', next }: Partial<Check> = {}): Check {
  return { area, status, detail, next };
}

/** Checks that need only a scan: the configuration, the folders, the skills. */
export function checkScan(catalog: Catalog): readonly Check[] {
  const { reading } = catalog;
  return [
    ...checkConfig(reading),
    ...checkSources(catalog),
    ...checkSkills(catalog),
    ...checkPlugins(reading),
    ...checkCopies(catalog),
  ];
}

function checkConfig({ files, diagnostics }: ConfigReading): readonly Check[] {
  const found = [files.user, files.project].filter((file) => file !== undefined && exists(file));
  const sound = found.filter((file) => !diagnostics.some(({ path }) => path === file));
  const isMissing = found.length === 0 && !diagnostics.some(({ path }) => path === files.user);
  const summary = isMissing ? `no ${files.user}; using the defaults` : sound.join(', ');
  const problems = diagnostics.map(({ code, severity, path, line, message }) => {
    const place = line === undefined ? path : `${path}:${line}`;
    const isIgnored = code === 'CONFIG_IGNORED';
    // Skillplane never changes a file that it cannot parse.
    const next = isIgnored ? undefined : { edit: path };
    return check('config', `${place}: ${message}`, { status: severity, next });
  });
  return summary === '' ? problems : [check('config', summary), ...problems];
}

function checkSources(catalog: Catalog): readonly Check[] {
  const { off = [] } = catalog;
  const copies = [...catalog.skills, ...catalog.shadowed];
  const unreadable = catalog.diagnostics.filter(({ code }) => code === 'SOURCE_UNREADABLE');
  const readable = catalog.roots.filter((root) => unreadable.every(({ path }) => path !== root.path));
  // A missing folder is fine, unless the configuration names it.
  const missing = readable.filter(({ path, group }) => group === 'Custom' && !exists(path));
  const present = readable.filter((root) => exists(root.path));
  return [
    ...present.map((root) => {
      const count = copies.filter((skill) => skill.source === root.id && dirname(skill.dir) === root.path).length;
      return check('source', `${root.id}: ${root.path} (${plural(count, 'skill')})`);
    }),
    ...unreadable.map(({ path, message }) => {
      const id = catalog.roots.find((root) => root.path === path)?.id ?? 'a source';
      const to = 'Fix its permissions, or remove what is there instead of a folder.';
      return check('source', `${id}: ${path}: ${message}`, { status: 'error', next: { ask: 'user', to } });
    }),
    ...missing.map(({ id, path }) => {
      const next: NextStep = { ask: 'user', to: 'Create the folder, or fix `customDirectories`.' };
      return check('source', `${id}: ${path} does not exist`, { status: 'warning', next });
    }),
    ...off
      .filter((root) => exists(root.path))
      .map((root) => {
        const next = { set: 'enabledSources', add: root.id };
        return check('source', `${root.id}: ${root.path} is turned off`, { status: 'info', next });
      }),
  ];
}

function checkSkills(catalog: Catalog): readonly Check[] {
  const { skills, shadowed } = catalog;
  const hidden = shadowed.filter((skill) => !isBroken(skill));
  const broken = [...skills, ...shadowed].filter(isBroken);
  const counts = [
    plural(skills.length + shadowed.length - hidden.length, 'skill'),
    ...(broken.length === 0 ? [] : [`${broken.length} of them broken`]),
    plural(hidden.length, 'copy not used', 'copies not used'),
  ];
  const total = check('skills', counts.join(', '), { status: broken.length === 0 ? 'ok' : 'info' });
  const unavailable = skills
    .filter(({ status, enabled }) => status === 'unavailable' && enabled)
    .map((skill) =>
      check(
        'skills',
        `${skill.name}: ${skill.unavailableReason}`,
        isSpare(skill)
          ? { status: 'info' }
          : {
              status: 'warning',
              next: {
                either: [
                  { ask: 'user', to: 'Install what is missing.' },
                  { do: 'disable', skill: skill.name },
                ],
              },
            },
      ),
    );
  const found = [total, ...broken.map(describeBroken), ...unavailable];
  const warnings = listWarnings(catalog).filter(({ code }) => !REPORTED_APART.has(code));
  if (warnings.length === 0) return found;
  const next: NextStep = { do: 'show', with: { verbose: true } };
  const detail = `${plural(warnings.length, 'warning')} about skills`;
  return [...found, check('skills', detail, { status: 'warning', next })];
}

/** Reported by separate checks. */
const REPORTED_APART: ReadonlySet<string> = new Set(['CONFIG_IGNORED', 'SOURCE_UNREADABLE']);

/** A broken skill that is disabled is not an error. */
function describeBroken(skill: Skill): Check {
  const { message, next } = failBroken(skill);
  const standIn = skill.shadowedBy === undefined ? '' : `; ${skill.shadowedBy} is used instead`;
  return check('skills', `${message}${standIn}`, { status: skill.enabled ? 'error' : 'info', next });
}

function checkPlugins({ config: { plugins, pluginsDir }, files, diagnostics }: ConfigReading): readonly Check[] {
  const isUnknown = diagnostics.some(({ path, severity }) => path === files.user && severity === 'error');
  if (isUnknown && plugins.length === 0) return [];
  const missing = plugins.map(pluginName).filter((name) => !exists(join(pluginsDir, name)));
  return [
    check('plugins', `${plugins.length - missing.length} installed`),
    ...missing.map((name) =>
      check('plugins', `${name} is installed, but its folder is missing`, {
        status: 'warning',
        next: {
          either: [
            { do: 'restore', skill: name },
            { do: 'remove', skill: name },
          ],
        },
      }),
    ),
  ];
}

/** Copies of bundled skills that an older version wrote. */
function checkCopies(catalog: Catalog): readonly Check[] {
  const outdated = listBundledCopies(listCopies(catalog)).filter(({ isOutdated }) => isOutdated);
  return outdated.map(({ name, to, before, after }) => {
    const detail = `${name}: ${to} is a copy of version ${before}; the current one is ${after}`;
    return check('bundled', detail, { status: 'warning', next: { do: 'update', skill: name } });
  });
}
