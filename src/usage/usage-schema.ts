import type { Schema } from '../platform/database/database.ts';

const MIGRATIONS = [
  `
  CREATE TABLE callers (
    id INTEGER PRIMARY KEY,
    team TEXT NOT NULL,
    agent TEXT NOT NULL,
    project TEXT NOT NULL,
    session TEXT NOT NULL,
    last_at INTEGER NOT NULL,
    UNIQUE (team, agent, project, session)
  ) STRICT;

  -- In the order of time, so that a period is one stretch; n counts equal events of one millisecond.
  CREATE TABLE events (
    at INTEGER NOT NULL,
    skill TEXT NOT NULL,
    kind TEXT NOT NULL,
    outcome TEXT NOT NULL,
    caller INTEGER NOT NULL,
    digest TEXT NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (at, skill, kind, outcome, caller, digest)
  ) STRICT, WITHOUT ROWID;

  -- What is left of old events.
  CREATE TABLE days (
    day INTEGER NOT NULL,
    skill TEXT NOT NULL,
    kind TEXT NOT NULL,
    outcome TEXT NOT NULL,
    team TEXT NOT NULL,
    agent TEXT NOT NULL,
    n INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    PRIMARY KEY (day, skill, kind, outcome, team, agent)
  ) STRICT, WITHOUT ROWID;

  CREATE VIEW history AS
    SELECT at, skill, kind, outcome, n FROM events
    UNION ALL
    SELECT last_at AS at, skill, kind, outcome, n FROM days;

  -- The counts that rankings read; kept from events as they come.
  CREATE TABLE uses (
    team TEXT NOT NULL,
    agent TEXT NOT NULL,
    skill TEXT NOT NULL,
    uses INTEGER NOT NULL,
    first_used INTEGER NOT NULL,
    last_used INTEGER NOT NULL,
    PRIMARY KEY (team, agent, skill)
  ) STRICT, WITHOUT ROWID;
`,
  `
  DROP VIEW history;
  CREATE VIEW history AS
    SELECT at, skill, kind, outcome, n, agent, project FROM events JOIN callers ON id = caller
    UNION ALL
    SELECT last_at AS at, skill, kind, outcome, n, agent, '' AS project FROM days;

  -- Digests of the ids of events that other programs recorded, so that each counts once.
  CREATE TABLE known (id BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;

  -- How far the files of other programs are read.
  CREATE TABLE readings (
    path TEXT PRIMARY KEY,
    inode TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime REAL NOT NULL,
    offset INTEGER NOT NULL,
    state TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
`,
  `
  -- The last request of each caller: hashes of its words, and the skills that were used after it.
  CREATE TABLE heard (
    team TEXT NOT NULL,
    agent TEXT NOT NULL,
    project TEXT NOT NULL,
    session TEXT NOT NULL,
    at INTEGER NOT NULL,
    words TEXT NOT NULL,
    skills TEXT NOT NULL,
    PRIMARY KEY (team, agent, project, session)
  ) STRICT, WITHOUT ROWID;

  -- How often a skill was used after a request with a word, as of a time; it fades from then on.
  CREATE TABLE lessons (
    team TEXT NOT NULL,
    word INTEGER NOT NULL,
    skill TEXT NOT NULL,
    weight REAL NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (team, word, skill)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX lessons_by_skill ON lessons (team, skill);

  -- Nothing is learned from before these times; an empty name stands for all skills.
  CREATE TABLE forgotten (
    team TEXT NOT NULL,
    skill TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (team, skill)
  ) STRICT, WITHOUT ROWID;
`,
];

export const USAGE_SCHEMA: Schema = {
  migrations: MIGRATIONS,
  names: ['callers', 'days', 'events', 'forgotten', 'heard', 'history', 'known', 'lessons', 'readings', 'uses'],
};
