import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import type { OriginKindName } from '../../src/model/origin.ts';
import { sha256Of } from '../../src/parse/digest.ts';
import { DISCOVERY_SCHEMA } from '../../src/parse/well-known-index.ts';
import { tar, zip } from './archives.ts';
import { importCommit, makeRepository, type ImportedFile } from './git-repositories.ts';
import { serve, type TestServer } from './https-server.ts';
import { link, makeTree, writeTree, type Tree } from './tree.ts';

/** A file that an origin offers; its path begins with the name of its skill. */
export interface OfferedFile {
  readonly path: string;
  readonly content?: string;
  readonly isExecutable?: boolean;
  /** The target, if it is a link. */
  readonly link?: string;
}

/** An origin of a kind, whose skills can be replaced by newer ones. */
export interface OriginWorld {
  readonly url: string;
  /** Variables that reach it. */
  readonly env: Readonly<Record<string, string>>;
  /** Offers these skills from now on; a package gets a new version. */
  offer(files: readonly OfferedFile[]): void;
  readonly server?: TestServer;
}

/** Can it offer paths that no disk can hold, such as `../x`? */
export interface OriginMaker {
  readonly kind: OriginKindName;
  /** Does an address name one skill, always `pdf`? */
  readonly holdsOne?: boolean;
  readonly offersAnyPath: boolean;
  /** Can a locked version be fetched after a newer one is offered? */
  readonly keepsVersions: boolean;
  /** Does it know executable bits and links? */
  readonly knowsModes: boolean;
  /** The attacks to try, if not all: each costs processes, and another kind reads its files in the same way. */
  readonly attacks?: readonly string[];
  /** `home` is the home of the user who installs. */
  make(home: string): Promise<OriginWorld>;
}

export const ORIGIN_MAKERS: Readonly<Record<string, OriginMaker>> = {
  'a git repository': {
    kind: 'git',
    offersAnyPath: false,
    keepsVersions: true,
    knowsModes: true,
    async make() {
      const repository = makeRepository();
      const offer = (files: readonly OfferedFile[]): void => importCommit(repository, files.map(toImported));
      return { url: repository.url, env: {}, offer };
    },
  },
  'a directory': {
    kind: 'directory',
    offersAnyPath: false,
    keepsVersions: false,
    knowsModes: true,
    async make() {
      const dir = makeTree({ './': '' });
      const offer = (files: readonly OfferedFile[]): void => {
        rmSync(join(dir, 'skills'), { recursive: true, force: true });
        writeTree(dir, toTree(files, 'skills/'));
      };
      return { url: dir, env: {}, offer };
    },
  },
  'a .skill file': archiveFile('all.skill', toZip),
  'a .tar.gz file': archiveFile('all.tar.gz', toTar),
  'a zip behind https': {
    kind: 'archive',
    offersAnyPath: true,
    keepsVersions: false,
    knowsModes: true,
    async make() {
      let bytes: Buffer = Buffer.alloc(0);
      const server = await serve((path) =>
        path === '/a/all.zip' ? { body: bytes, headers: { etag: `"${sha256Of(bytes)}"` } } : undefined,
      );
      return { url: `${server.url}/a/all.zip`, env: server.env, server, offer: (files) => void (bytes = toZip(files)) };
    },
  },
  'an index of archives': webIndex((files) => ({ type: 'archive', body: gzipSync(tar(files)) })),
  'an index of the first version': oldIndex(),
  'an npm package': npmPackage(),
  "a team's hub": hub(),
};

function toImported(file: OfferedFile): ImportedFile {
  const path = `skills/${file.path}`;
  if (file.link !== undefined) return { path, content: file.link, mode: '120000' };
  return { path, content: textOf(file), mode: file.isExecutable === true ? '100755' : '100644' };
}

function toTree(files: readonly OfferedFile[], prefix: string): Tree {
  return Object.fromEntries(
    files.map(({ path, content = '', link: target, isExecutable = false }) => {
      if (target !== undefined) return [`${prefix}${path}`, link(target)];
      return [`${prefix}${path}`, isExecutable ? `#!/bin/sh\n${content}` : content];
    }),
  );
}

function textOf({ content = '', isExecutable = false }: OfferedFile): string {
  return isExecutable ? `#!/bin/sh\n${content}` : content;
}

function toZip(files: readonly OfferedFile[]): Buffer {
  return zip(
    files.map((file) => ({
      name: file.path,
      content: file.link ?? textOf(file),
      isLink: file.link !== undefined,
      mode: file.isExecutable === true ? 0o100755 : 0o100644,
    })),
  );
}

function toTar(files: readonly OfferedFile[], prefix = ''): Buffer {
  return gzipSync(
    tar(files.map((file) => toTarEntry(file, file.path.startsWith('/') ? file.path : `${prefix}${file.path}`))),
  );
}

function toTarEntry(file: OfferedFile, name: string): Parameters<typeof tar>[0][number] {
  const { isExecutable = false } = file;
  return file.link === undefined ? { name, content: textOf(file), isExecutable } : { name, type: '2' };
}

function archiveFile(name: string, pack: (files: readonly OfferedFile[]) => Buffer): OriginMaker {
  return {
    kind: 'archive',
    offersAnyPath: true,
    keepsVersions: false,
    knowsModes: true,
    async make() {
      const file = join(makeTree(), name);
      return { url: file, env: {}, offer: (files) => writeFileSync(file, pack(files)) };
    },
  };
}

function bySkill(files: readonly OfferedFile[]): ReadonlyMap<string, readonly OfferedFile[]> {
  const skills = new Map<string, OfferedFile[]>();
  for (const file of files) {
    const [name = '', ...inner] = file.path.split('/');
    // An absolute path belongs to the first skill.
    const [holder = ''] = name === '' ? skills.keys() : [name];
    const path = name === '' ? file.path : inner.join('/');
    skills.set(holder, [...(skills.get(holder) ?? []), { ...file, path }]);
  }
  return skills;
}

type PackSkill = (entries: Parameters<typeof tar>[0]) => { readonly type: string; readonly body: Buffer };

function webIndex(packSkill: PackSkill): OriginMaker {
  return {
    kind: 'web',
    offersAnyPath: true,
    keepsVersions: false,
    knowsModes: true,
    async make() {
      let pages = new Map<string, Buffer>();
      const server = await serve((path) => {
        const body = pages.get(path);
        return body && { body, headers: { etag: `"${sha256Of(body)}"` } };
      });
      const offer = (files: readonly OfferedFile[]): void => {
        pages = new Map();
        const skills = [...bySkill(files)].map(([name, own]) => {
          const { type, body } = packSkill(own.map((file) => toTarEntry(file, file.path)));
          pages.set(`/files/${name}.tar.gz`, body);
          const digest = sha256Of(body);
          return { name, description: `Does ${name}.`, type, url: `/files/${name}.tar.gz`, digest };
        });
        const index = { $schema: DISCOVERY_SCHEMA, skills };
        pages.set('/.well-known/agent-skills/index.json', Buffer.from(JSON.stringify(index)));
      };
      return { url: server.url, env: server.env, server, offer };
    },
  };
}

function oldIndex(): OriginMaker {
  return {
    kind: 'web',
    offersAnyPath: true,
    keepsVersions: false,
    knowsModes: false,
    async make() {
      let pages = new Map<string, string>();
      const server = await serve((path) => {
        const body = pages.get(decodeURIComponent(path));
        return body === undefined ? undefined : { body };
      });
      const offer = (files: readonly OfferedFile[]): void => {
        pages = new Map(files.map((file) => [`/docs/.well-known/skills/${file.path}`, textOf(file)]));
        const skills = [...bySkill(files)].map(([name, own]) => {
          return { name, description: `Does ${name}.`, files: own.map(({ path }) => path) };
        });
        pages.set('/docs/.well-known/skills/index.json', JSON.stringify({ skills }));
      };
      return { url: `${server.url}/docs`, env: server.env, server, offer };
    },
  };
}

/** A hub that wants a token, as far as installing needs it. */
function hub(): OriginMaker {
  return {
    kind: 'hub',
    holdsOne: true,
    offersAnyPath: true,
    keepsVersions: true,
    knowsModes: true,
    async make(home) {
      const versions: { readonly version: string; readonly body: Buffer }[] = [];
      let isThere = false;
      const server = await serve((path, { headers }) => {
        if (headers.authorization !== 'Bearer made-for-tests') return { status: 401, body: '{}' };
        const [, skill, version] = /^(\/api\/v1\/skills\/team\/pdf)(?:\/versions\/([^/]+)\/archive)?$/.exec(path) ?? [];
        if (version !== undefined) return versions.find((one) => one.version === version);
        return skill !== undefined && isThere ? { body: JSON.stringify(describeHubSkill(versions)) } : undefined;
      });
      const hubs = [{ url: server.url, token: 'made-for-tests', person: 'a' }];
      writeTree(home, { '.agent/hubs.json': JSON.stringify({ hubs }) });
      const offer = (files: readonly OfferedFile[]): void => {
        const own = bySkill(files).get('pdf');
        isThere = own !== undefined;
        if (own !== undefined) versions.push({ version: `1.${versions.length}.0`, body: toTar(own) });
      };
      return { url: '@team/pdf', env: server.env, server, offer };
    },
  };
}

function describeHubSkill(versions: readonly { readonly version: string; readonly body: Buffer }[]): object {
  return {
    description: 'Does pdf.',
    version: versions.at(-1)?.version ?? null,
    versions: versions.map(({ version, body }) => {
      return { version, archive: sha256Of(body), state: 'published', reason: null };
    }),
    tags: {},
  };
}

function npmPackage(): OriginMaker {
  return {
    kind: 'npm',
    // Its package is read as a .tar.gz file is.
    attacks: ['names that clash', 'a climbing path'],
    offersAnyPath: true,
    keepsVersions: true,
    knowsModes: true,
    async make(home) {
      const { server, publish } = await serveRegistry(home);
      let minor = 0;
      const offer = (files: readonly OfferedFile[]): void => {
        minor += 1;
        publish(`@team/skills@1.${minor}.0`, files);
      };
      return { url: 'npm:@team/skills', env: {}, server, offer };
    },
  };
}

export interface TestRegistry {
  readonly server: TestServer;
  /** Publishes `name@version`; its files are in `skills/`. */
  readonly publish: (id: string, files: readonly OfferedFile[], options?: PublishOptions) => void;
}

export interface PublishOptions {
  /** More fields of its package.json. */
  readonly fields?: object;
  /** Another folder for the files; empty for the root of the package. */
  readonly folder?: string;
  /** The tag that names the version; `latest` by default. */
  readonly tag?: string;
  /** The bytes that are sent instead of the package. */
  readonly sent?: Buffer;
}

interface PublishedVersion {
  readonly bytes: Buffer;
  readonly fields: object;
  readonly tag: string;
}

/** A registry that wants a token, which the .npmrc of this home has. */
export async function serveRegistry(home: string): Promise<TestRegistry> {
  const packages = new Map<string, Map<string, PublishedVersion>>();
  const server = await serve(
    (path, { headers }) => {
      if (headers.authorization !== 'Bearer made-for-tests') return { status: 401, body: '{}' };
      const [name = '', file] = decodeURIComponent(path).slice(1).split('/-/');
      const versions = packages.get(name);
      if (versions === undefined) return undefined;
      const tarball = versions.get(file?.replace('.tgz', '') ?? '');
      if (file !== undefined) return tarball && { body: tarball.bytes };
      return { body: JSON.stringify(describePackage(name, versions, server.url)) };
    },
    { isPlain: true },
  );
  const lines = [`registry=${server.url}/`, `//127.0.0.1:${server.port}/:_authToken=made-for-tests`];
  writeTree(home, { '.npmrc': `${lines.join('\n')}\n` });
  return {
    server,
    publish(id, files, { fields = {}, folder = 'skills/', tag = 'latest', sent } = {}) {
      const at = id.lastIndexOf('@');
      const [name, version] = [id.slice(0, at), id.slice(at + 1)];
      const manifest = { path: 'package.json', content: JSON.stringify({ name, version, ...fields }) };
      const inside = [
        manifest,
        ...files.map((file) => ({ ...file, path: file.path.startsWith('/') ? file.path : `${folder}${file.path}` })),
      ];
      const versions = packages.get(name) ?? new Map<string, PublishedVersion>();
      const bytes = sent ?? toTar(inside, 'package/');
      versions.set(version, { bytes, fields, tag });
      packages.set(name, versions);
    },
  };
}

function describePackage(name: string, versions: ReadonlyMap<string, PublishedVersion>, url: string): object {
  const described = [...versions].map(([version, { bytes, fields }]) => {
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    return [version, { name, version, ...fields, dist: { tarball: `${url}/${name}/-/${version}.tgz`, integrity } }];
  });
  const tags = [...versions].map(([version, { tag }]) => [tag, version]);
  return { name, 'dist-tags': Object.fromEntries(tags), versions: Object.fromEntries(described) };
}
