import type { Outcome } from '../../model/outcome.ts';
import type { EmitTarget } from '../../model/target-id.ts';
import { editManifest, parseManifest } from './edit-manifest.ts';
import type { ManifestAbout } from './manifest-about.ts';
import { MARKETPLACE_FILE, writeMarketplace } from './marketplace.ts';
import { writeOpenaiFile, OPENAI_FILE } from './openai-file.ts';
import type { EmittedSkill } from './repository-skills.ts';

/** A file that makes a repository of skills installable. */
export interface EmittedFile {
  /** In the repository, with `/`. */
  readonly path: string;
  /** The new text for the current one, which is empty if there is no file. */
  readonly write: (text: string) => Outcome<{ readonly text: string }>;
}

export interface Emission {
  readonly files: readonly EmittedFile[];
  /** Skills that the program would not find, and other things to know. */
  readonly notes: readonly string[];
}

/** The files that a program needs. */
export function planEmission(target: EmitTarget, skills: readonly EmittedSkill[], about: ManifestAbout): Emission {
  return PROGRAMS[target](skills, about);
}

type Plan = (skills: readonly EmittedSkill[], about: ManifestAbout) => Emission;

const marketplace: Plan = (skills, about) => ({
  files: [{ path: MARKETPLACE_FILE, write: (text) => writeMarketplace(text, skills, about) }],
  notes: [],
});

/** To support another program, add a row. */
const PROGRAMS: Readonly<Record<EmitTarget, Plan>> = {
  'claude-code': marketplace,
  copilot: marketplace,
  codex: (skills, about) => ({ files: [...marketplace(skills, about).files, ...hideSkills(skills)], notes: [] }),
  cursor: (skills, { name, description, version }) => ({
    files: [manifest('.cursor-plugin/plugin.json', { required: { name }, more: { description, version } })],
    notes: listUnusual('Cursor', skills),
  }),
  gemini: (skills, { name, description, version }) => ({
    files: [manifest('gemini-extension.json', { required: { name, version }, more: { description } })],
    notes: listUnusual('Gemini', skills),
  }),
  'agent-plugins': (skills, { name, description, version }) => ({
    files: [
      manifest('plugin.json', { required: { $schema: AGENT_PLUGINS_SCHEMA, name }, more: { description, version } }),
    ],
    notes: [...listUnusual('Agent Plugins', skills), ...listLong(skills)],
  }),
};

const AGENT_PLUGINS_SCHEMA = 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json';

interface ManifestValues {
  readonly required: Readonly<Record<string, string>>;
  /** For a new file. */
  readonly more: Readonly<Record<string, string>>;
}

/** A JSON file with these keys; values that people gave them stay. */
function manifest(path: string, { required, more }: ManifestValues): EmittedFile {
  return {
    path,
    write(text) {
      const parsed = parseManifest(text, path);
      if (!parsed.ok) return parsed;
      const wanted = Object.entries(text.trim() === '' ? { ...required, ...more } : required);
      const missing = wanted.filter(([key]) => !(key in parsed.value)).map(([key, value]) => ({ at: [key], value }));
      return { ok: true, text: missing.length === 0 ? text : editManifest(text, missing) };
    },
  };
}

function hideSkills(skills: readonly EmittedSkill[]): readonly EmittedFile[] {
  return skills
    .filter(({ isHidden }) => isHidden)
    .map(({ path }) => ({ path: path === '' ? OPENAI_FILE : `${path}/${OPENAI_FILE}`, write: writeOpenaiFile }));
}

function listUnusual(program: string, skills: readonly EmittedSkill[]): readonly string[] {
  const unusual = skills.filter(({ path }) => !/^skills\/[^/]+$/.test(path)).map(({ path }) => path || '.');
  return unusual.length === 0
    ? []
    : [`${program} finds only skills in skills/<name>, and not these: ${unusual.join(', ')}`];
}

/** Codex 0.166.0 cuts the instructions of such plugins. */
const MAX_CODEX_BODY = 8_000;

function listLong(skills: readonly EmittedSkill[]): readonly string[] {
  const long = skills.filter(({ bodyBytes }) => bodyBytes > MAX_CODEX_BODY).map(({ name }) => name);
  if (long.length === 0) return [];
  return [
    `Codex prefers plugin.json to other manifests and cuts instructions there at ${MAX_CODEX_BODY} bytes: ${long.join(', ')}`,
  ];
}
