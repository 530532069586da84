import { expectTypeOf, test } from 'vitest';

import type { TokenInfo } from '../src/access/tokens.ts';
import type { ViewedVersion } from '../src/http/view-version.ts';
import type {
  FileAnswer,
  FoundAnswer,
  ListedVersion,
  LogRowAnswer,
  MembersAnswer,
  ScopesAnswer,
  TeamWeekAnswer,
  TokenAnswer,
  UseAnswer,
  UsersAnswer,
  VersionAnswer,
} from '../src/http/wire.ts';
import type { LibraryResult } from '../src/library/library.ts';
import type { ServedVersion } from '../src/library/served-skill.ts';
import type { LogEntry } from '../src/store/log.ts';
import type { listMembers, Scope } from '../src/store/scopes.ts';
import type { TeamWeek, User, UseSum } from '../src/store/uses.ts';
import type { VersionFile } from '../src/store/versions.ts';

test('the types that the hub’s pages read fit the answers of the hub', () => {
  expectTypeOf<ViewedVersion>().toExtend<VersionAnswer>();
  expectTypeOf<ServedVersion>().toExtend<ListedVersion>();
  expectTypeOf<VersionFile>().toExtend<FileAnswer>();
  expectTypeOf<LibraryResult>().toExtend<FoundAnswer>();
  expectTypeOf<TokenInfo>().toExtend<TokenAnswer>();
  expectTypeOf<LogEntry>().toExtend<LogRowAnswer>();
  expectTypeOf<Scope>().toExtend<ScopesAnswer['scopes'][number]>();
  expectTypeOf<Awaited<ReturnType<typeof listMembers>>>().toExtend<MembersAnswer['members']>();
  expectTypeOf<UseSum>().toExtend<UseAnswer>();
  expectTypeOf<TeamWeek>().toExtend<TeamWeekAnswer>();
  expectTypeOf<User>().toExtend<UsersAnswer['users'][number]>();
});
