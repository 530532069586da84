import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

import { HOSTS } from '../../src/hosts/all-hosts.ts';
import { PROGRAMS, type ProgramId } from './programs.ts';
import { runProgram, type ProgramPlace } from './run-program.ts';

/** The model that Claude Code asks for, which decides the room for its list. */
export const CLAUDE_MODEL = 'claude-haiku-4-5';

export const QUIET_OPENCODE = {
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
};

/** Sends a message to the program, which sends it to the stub; returns the program's answer. */
export function converse(id: ProgramId, place: ProgramPlace, message: string): Promise<string> {
  const { words, variables } = HOW[id](place, message);
  return runProgram(id, words, { place, variables });
}

interface Start {
  readonly words: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

const HOW: Readonly<Record<ProgramId, (place: ProgramPlace, message: string) => Start>> = {
  'claude-code': ({ model }, message) => ({
    words: ['-p', message],
    variables: {
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: 'none',
      ANTHROPIC_MODEL: CLAUDE_MODEL,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
  }),
  codex({ model }, message) {
    const provider = `{ name = "stub", base_url = "${model}/v1", wire_api = "responses", env_key = "STUB_KEY" }`;
    const settings = ['model_provider="stub"', `model_providers.stub=${provider}`].flatMap((each) => ['-c', each]);
    return {
      words: ['exec', '--skip-git-repo-check', '--dangerously-bypass-hook-trust', ...settings, message],
      variables: { STUB_KEY: 'none' },
    };
  },
  copilot: ({ model }, message) => ({
    words: ['-p', message, '--allow-all-tools'],
    variables: {
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
      COPILOT_PROVIDER_API_KEY: 'none',
      COPILOT_MODEL: 'stub',
      COPILOT_OFFLINE: 'true',
    },
  }),
  gemini(place, message) {
    addGeminiLogin(join(HOSTS.gemini.folder(place), 'settings.json'));
    return {
      words: ['-p', message, '-m', 'gemini-2.5-flash', '--yolo'],
      variables: { GOOGLE_GEMINI_BASE_URL: place.model, GEMINI_API_KEY: 'none' },
    };
  },
  opencode(place, message) {
    addOpencodePackage(HOSTS.opencode.folder(place));
    const stub = {
      npm: '@ai-sdk/openai-compatible',
      name: 'stub',
      options: { baseURL: `${place.model}/v1`, apiKey: 'none' },
      models: { stub: { name: 'stub' } },
    };
    const settings = { provider: { stub }, model: 'stub/stub', small_model: 'stub/stub', share: 'disabled' };
    return {
      words: ['run', message],
      variables: {
        ...QUIET_OPENCODE,
        OPENCODE_CONFIG_CONTENT: JSON.stringify(settings),
        PATH: withRipgrep(place.programs),
      },
    };
  },
};

/** No variable says how to log in as long as another one names the address of the model. */
function addGeminiLogin(file: string): void {
  const settings = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>) : {};
  const security = { ...(settings['security'] as object | undefined), auth: { selectedType: 'gemini-api-key' } };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ ...settings, security }));
}

/**
 * The folder as the first start with a network leaves it. OpenCode installs its package for plugins there, and waits for that if
 * there is a plugin: without a network, until npm gives up.
 */
function addOpencodePackage(folder: string): void {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  const packages = { '': { dependencies: { '@opencode-ai/plugin': PROGRAMS.opencode.version } } };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }));
}

/** OpenCode lists a skill's files with ripgrep, and fetches that if no program of this name is on the PATH. Codex brings one. */
function withRipgrep(programs: string): string {
  const found = globSync('node_modules/@openai/codex-*/vendor/*/codex-path', { cwd: programs });
  return [...found.map((folder) => join(programs, folder)), process.env['PATH'] ?? ''].join(delimiter);
}
