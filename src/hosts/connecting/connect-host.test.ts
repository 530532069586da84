import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { propertyRuns } from '../../../test/support/property-runs.ts';
import { makeTree, type Tree } from '../../../test/support/tree.ts';
import { HOST_IDS, type HostId } from '../../model/agents.ts';
import { HOSTS } from '../all-hosts.ts';
import { connectHost, disconnectHost, planConnection, type ConnectPlace, type ConnectRequest } from './connect-host.ts';
import { readConnection, type HostConnection } from './read-connection.ts';

function request(id: HostId): ConnectRequest {
  return {
    server: { kind: 'stdio', command: 'skillplane', args: ['mcp', '--host', id] },
    hook: ['skillplane', 'hook', id],
    recordsUse: true,
  };
}

/** The files of each host: that of the server, then that of the hook. */
const FILES: Readonly<Record<HostId, readonly [server: string, hook: string]>> = {
  'claude-code': ['.claude.json', '.claude/settings.json'],
  codex: ['.codex/config.toml', '.codex/hooks.json'],
  cursor: ['.cursor/mcp.json', '.cursor/hooks.json'],
  copilot: ['.copilot/mcp-config.json', '.copilot/hooks/skillplane.json'],
  gemini: ['.gemini/settings.json', '.gemini/settings.json'],
  opencode: ['.config/opencode/opencode.json', '.config/opencode/plugins/skillplane.js'],
};

const JSON_FILES = HOST_IDS.filter((id) => FILES[id][1].endsWith('s.json'));

class Home {
  readonly root: string;
  readonly place: ConnectPlace;

  constructor(tree: Tree = {}) {
    this.root = makeTree({
      'home/': '',
      ...Object.fromEntries(Object.entries(tree).map(([k, v]) => [`home/${k}`, v])),
    });
    const home = join(this.root, 'home');
    this.place = { home, cwd: home, variables: {}, agentHome: join(this.root, 'agent') };
  }

  read(path: string): string {
    return readFileSync(join(this.place.home, path), 'utf8');
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.place.home, path), text);
  }

  /** Every file, with its text. */
  all(): Readonly<Record<string, string>> {
    const files = readdirSync(this.place.home, { recursive: true, withFileTypes: true });
    return Object.fromEntries(
      files.map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return [path, entry.isFile() ? readFileSync(path, 'utf8') : 'folder'];
      }),
    );
  }

  async connect(id: HostId, more: Partial<ConnectRequest> = {}): Promise<readonly string[]> {
    const done = await connectHost(HOSTS[id], this.place, { ...request(id), ...more });
    if (!done.ok) throw new Error(done.message);
    return done.files.filter(({ isChanged }) => isChanged).map(({ path }) => path);
  }

  async disconnect(id: HostId): Promise<readonly string[]> {
    const done = await disconnectHost(HOSTS[id], this.place);
    if (!done.ok) throw new Error(done.message);
    return done.files.filter(({ isChanged }) => isChanged).map(({ path }) => path);
  }

  connection(id: HostId): HostConnection {
    return readConnection(HOSTS[id], this.place);
  }
}

describe.each(HOST_IDS)('connecting %s', (id) => {
  test('adds the server and the hook, and does nothing the second time', async () => {
    const home = new Home();
    expect(home.connection(id)).toMatchObject({ hasServer: false, hook: undefined, recordsUse: false });
    expect(await home.connect(id)).toEqual([...new Set(FILES[id])].map((file) => join(home.place.home, file)));
    const asks = id === 'claude-code' || id === 'codex' ? 'server' : 'process';
    expect(home.connection(id)).toMatchObject({ hasServer: true, hook: asks, recordsUse: true });
    const before = home.all();
    expect(await home.connect(id)).toEqual([]);
    expect(home.all()).toEqual(before);
  });

  test('in an empty home is undone by disconnecting, which leaves no file behind', async () => {
    const home = new Home();
    const before = home.all();
    await home.connect(id);
    expect(await home.disconnect(id)).not.toEqual([]);
    expect(home.all()).toEqual(before);
    expect(await home.disconnect(id)).toEqual([]);
  });

  test('again with other options takes effect, and disconnecting still restores every byte', async () => {
    const home = new Home();
    const before = home.all();
    await home.connect(id);
    await home.connect(id, { hook: ['/usr/bin/node', '/opt/skillplane.mjs', 'hook', id], startsProcess: true });
    expect(home.connection(id)).toMatchObject({ hook: 'process' });
    await home.connect(id, { recordsUse: false, server: undefined });
    expect(home.connection(id)).toMatchObject({ hasServer: false, hook: 'process', recordsUse: false });
    await home.disconnect(id);
    expect(home.all()).toEqual(before);
  });
});

const COMMENTED = `{
  // mine
  "model": "x", /* why */
  "unknown": { "a": [1, 2] },
  "hooks": {
    "Stop": [{ "hooks": [{ "type": "command", "command": "beep" }] }] // loud
  },
}
`;

test.each(JSON_FILES)(
  'connecting %s keeps comments, unknown keys and other hooks; disconnecting restores the file to the byte',
  async (id) => {
    const home = new Home({ [FILES[id][1]]: COMMENTED });
    await home.connect(id);
    const text = home.read(FILES[id][1]);
    for (const part of ['// mine', '/* why */', '"unknown": { "a": [1, 2] }', '// loud', 'beep'])
      expect(text).toContain(part);
    expect(home.read(`${FILES[id][1]}.bak`)).toBe(COMMENTED);
    await home.disconnect(id);
    expect(home.read(FILES[id][1])).toBe(COMMENTED);
  },
);

test.each(JSON_FILES)(
  'disconnecting %s keeps what others wrote into its settings since it was connected',
  async (id) => {
    const home = new Home({ [FILES[id][1]]: '{\n  "a": 1\n}\n' });
    await home.connect(id);
    home.write(FILES[id][1], home.read(FILES[id][1]).replace('"a": 1', '"a": 2,\n  "b": 3'));
    await home.disconnect(id);
    expect(JSON.parse(home.read(FILES[id][1]))).toMatchObject({ a: 2, b: 3 });
    expect(home.read(FILES[id][1])).not.toContain('skillplane');
    expect(home.read(FILES[id][1])).toBe('{\n  "a": 2,\n  "b": 3\n}\n');
  },
);

test.each(JSON_FILES)('disconnecting %s removes our hook even after its settings file was reformatted', async (id) => {
  const home = new Home({ [FILES[id][1]]: '{"hooks":{"Stop":[{"command":"beep"}]}}' });
  await home.connect(id);
  home.write(FILES[id][1], JSON.stringify(JSON.parse(home.read(FILES[id][1])), undefined, 7));
  expect(home.connection(id).hook).toBeDefined();
  await home.disconnect(id);
  expect(home.read(FILES[id][1])).not.toContain('skillplane');
  expect(JSON.parse(home.read(FILES[id][1]))).toMatchObject({ hooks: { Stop: [{ command: 'beep' }] } });
});

test('connecting Codex keeps the comments in config.toml; disconnecting restores it to the byte', async () => {
  const toml = '# mine\nmodel = "x" # why\n\n[mcp_servers.other]\ncommand = "o"';
  const home = new Home({ '.codex/config.toml': toml });
  await home.connect('codex');
  expect(home.read('.codex/config.toml')).toContain('[mcp_servers.skillplane]');
  expect(home.read('.codex/config.toml')).toContain('model = "x" # why');
  await home.disconnect('codex');
  expect(home.read('.codex/config.toml')).toBe(toml);
});

test('disconnecting Codex removes a hand-written table of our server with its subtables', async () => {
  const home = new Home({
    '.codex/config.toml':
      'a = 1\n\n[mcp_servers.skillplane]\ncommand = "x"\n\n[mcp_servers.skillplane.env]\nB = "1"\n\n[z]\nc = 2\n',
  });
  await home.disconnect('codex');
  expect(home.read('.codex/config.toml')).toBe('a = 1\n\n[z]\nc = 2\n');
});

test('connecting keeps the options of a hand-written entry for our server; disconnecting restores that entry', async () => {
  const own = '{"mcpServers":{"skillplane":{"command":"skillplane","args":["mcp","--allow-scripts"],"env":{"A":"1"}}}}';
  const home = new Home({ '.claude.json': own });
  await home.connect('claude-code');
  expect(JSON.parse(home.read('.claude.json'))).toEqual({
    mcpServers: {
      skillplane: {
        type: 'stdio',
        command: 'skillplane',
        args: ['mcp', '--allow-scripts', '--host', 'claude-code'],
        env: { A: '1' },
      },
    },
  });
  await home.disconnect('claude-code');
  expect(home.read('.claude.json')).toBe(own);
});

test.each(['copilot', 'opencode'] as const)(
  'connecting %s refuses to overwrite a foreign file that has the name of our hook',
  async (id) => {
    const home = new Home({ [FILES[id][1]]: 'mine' });
    expect(await connectHost(HOSTS[id], home.place, request(id))).toMatchObject({
      ok: false,
      message: expect.stringContaining('Skillplane did not create this file'),
    });
    await home.disconnect(id);
    expect(home.read(FILES[id][1])).toBe('mine');
  },
);

test('connecting leaves a settings file with a syntax error unchanged and says so', async () => {
  const home = new Home({ '.claude/settings.json': '{ "a": ' });
  expect(await connectHost(HOSTS['claude-code'], home.place, request('claude-code'))).toMatchObject({
    ok: false,
    message: expect.stringContaining('nothing was changed'),
  });
  expect(home.read('.claude/settings.json')).toBe('{ "a": ');
});

test('connecting and disconnecting again and again leaves one backup, no temporary files and no open file handles', async () => {
  const home = new Home({ '.claude/settings.json': '{}' });
  const round = async (): Promise<void> => {
    await home.connect('claude-code');
    await home.disconnect('claude-code');
  };
  await round();
  const [handles, agentFiles] = [countHandles(), readdirSync(home.place.agentHome, { recursive: true })];
  for (let at = 1; at < propertyRuns(100); at += 1) await round();
  expect(countHandles()).toBe(handles);
  expect(readdirSync(join(home.place.home, '.claude')).sort()).toEqual(['settings.json', 'settings.json.bak']);
  expect(readdirSync(home.place.home)).toEqual(['.claude']);
  expect(readdirSync(home.place.agentHome, { recursive: true })).toEqual(agentFiles);
  expect(existsSync(join(home.place.agentHome, 'hosts/connections.json'))).toBe(true);
});

/** Open files of this process. */
const countHandles = (): number => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0);

/** The variables by which people move the folders of hosts, and the files that are then meant. */
const MOVED: Readonly<Partial<Record<HostId, readonly [variable: string, server: string, hook: string]>>> = {
  'claude-code': ['CLAUDE_CONFIG_DIR', '.claude.json', 'settings.json'],
  codex: ['CODEX_HOME', 'config.toml', 'hooks.json'],
  copilot: ['COPILOT_HOME', 'mcp-config.json', 'hooks/skillplane.json'],
  gemini: ['GEMINI_CLI_HOME', '.gemini/settings.json', '.gemini/settings.json'],
  opencode: ['XDG_CONFIG_HOME', 'opencode/opencode.json', 'opencode/plugins/skillplane.js'],
};

test.each(Object.entries(MOVED))(
  'connecting %s writes to the folder that its environment variable names, and nothing to the home',
  async (id, [variable, ...files]) => {
    const { root, place } = new Home();
    const there = { ...place, variables: { [variable]: join(root, 'moved') } };
    const host = HOSTS[id as HostId];
    const wanted = [...new Set(files)].map((file) => join(root, 'moved', file));
    const connected = await connectHost(host, there, request(id as HostId));
    expect(connected).toMatchObject({ ok: true, files: wanted.map((path) => ({ path, isChanged: true })) });
    expect(readConnection(host, there)).toMatchObject({ hasServer: true });
    expect(readdirSync(place.home)).toEqual([]);
    expect(await disconnectHost(host, there)).toMatchObject({ ok: true });
    expect(existsSync(join(root, 'moved'))).toBe(false);
  },
);

test('disconnecting leaves a hook group alone in which a user put other hooks beside ours', async () => {
  const group = {
    hooks: [
      { type: 'command', command: 'skillplane hook gemini' },
      { type: 'command', command: 'beep' },
    ],
  };
  const home = new Home({ '.gemini/settings.json': JSON.stringify({ hooks: { BeforeAgent: [group] } }) });
  await home.disconnect('gemini');
  expect(JSON.parse(home.read('.gemini/settings.json'))).toEqual({ hooks: { BeforeAgent: [group] } });
});

test('connecting and disconnecting restores a settings file to the byte, whatever JSON it contains', async () => {
  const content = fc.dictionary(fc.constantFrom('a', 'hooks', 'mcpServers', 'b "c"'), fc.jsonValue());
  await fc.assert(
    fc.asyncProperty(content, fc.constantFrom(0, 2, '\t'), async (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      const home = new Home({ '.gemini/settings.json': text });
      const done = await connectHost(HOSTS.gemini, home.place, request('gemini'));
      if (done.ok) await home.disconnect('gemini');
      expect(home.read('.gemini/settings.json')).toBe(text);
    }),
    { seed: 20_261_117, numRuns: propertyRuns(60) },
  );
});

test.each(HOST_IDS)('the plan to connect %s names exactly the files that will change, and changes none', async (id) => {
  const home = new Home();
  const before = home.all();
  const paths = (wanted?: ConnectRequest): readonly string[] => {
    const planned = planConnection(HOSTS[id], home.place, wanted);
    return planned.ok ? planned.files.map(({ path }) => path) : [planned.message];
  };
  const planned = paths(request(id));
  expect(home.all()).toEqual(before);
  expect(await home.connect(id)).toEqual(planned);
  expect(paths(request(id))).toEqual([]);
  const leaving = paths();
  expect(new Set(await home.disconnect(id))).toEqual(new Set(leaving));
});

test('hosts that are connected at the same time can each be disconnected to the byte', async () => {
  const files = { '.gemini/settings.json': '{ "a": 1 } // mine\n', '.codex/config.toml': '# mine\n' };
  const home = new Home(files);
  await Promise.all(HOST_IDS.map((id) => home.connect(id)));
  for (const id of HOST_IDS) expect(home.connection(id)).toMatchObject({ hasServer: true });
  for (const id of HOST_IDS) await home.disconnect(id);
  for (const [path, text] of Object.entries(files)) expect(home.read(path)).toBe(text);
});
