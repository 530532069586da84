-- Scopes are teams: `@team`. The policy says what a new version needs before readers see it.
CREATE TABLE scopes (
  name text PRIMARY KEY CHECK (name ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  policy text NOT NULL DEFAULT 'audited' CHECK (policy IN ('open', 'audited', 'reviewed')),
  fail_on text NOT NULL DEFAULT 'critical' CHECK (fail_on IN ('low', 'medium', 'high', 'critical')),
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Roles of people that a proxy signs in. The scope `*` is every scope.
CREATE TABLE members (
  person text NOT NULL,
  scope text NOT NULL,
  role text NOT NULL CHECK (role IN ('reader', 'publisher', 'reviewer', 'owner', 'admin')),
  PRIMARY KEY (person, scope)
);

-- Only hashes of tokens are kept. Scopes NULL: every scope.
CREATE TABLE tokens (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  person text NOT NULL,
  hash bytea NOT NULL UNIQUE,
  role text NOT NULL CHECK (role IN ('reader', 'publisher', 'reviewer', 'owner', 'admin')),
  scopes text[],
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by text NOT NULL,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);

-- Content by its SHA-256: each content is here once.
CREATE TABLE blobs (
  digest bytea PRIMARY KEY CHECK (length(digest) = 32),
  size int NOT NULL CHECK (size = length(content)),
  content bytea NOT NULL
);

CREATE TABLE skills (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  scope text NOT NULL REFERENCES scopes (name),
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (scope, name)
);

CREATE TABLE versions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  skill bigint NOT NULL REFERENCES skills (id),
  version text NOT NULL,
  digest text NOT NULL,
  archive bytea NOT NULL REFERENCES blobs (digest),
  description text NOT NULL,
  manifest jsonb NOT NULL,
  findings jsonb NOT NULL,
  warnings jsonb NOT NULL,
  state text NOT NULL CHECK (state IN ('waiting', 'published', 'rejected', 'yanked')),
  reason text,
  published_by text NOT NULL,
  published_at timestamptz NOT NULL DEFAULT now(),
  decided_by text,
  decided_at timestamptz,
  UNIQUE (skill, version)
);
CREATE INDEX versions_by_state ON versions (state, id);

CREATE TABLE version_files (
  version bigint NOT NULL REFERENCES versions (id),
  path text NOT NULL,
  executable boolean NOT NULL,
  blob bytea NOT NULL REFERENCES blobs (digest),
  PRIMARY KEY (version, path)
);

CREATE TABLE tags (
  skill bigint NOT NULL REFERENCES skills (id),
  tag text NOT NULL CHECK (tag ~ '^[a-z][a-z0-9-]{0,31}$'),
  version bigint NOT NULL REFERENCES versions (id),
  PRIMARY KEY (skill, tag)
);

-- Every act, in the order of its commit. Replicas follow it.
CREATE TABLE log (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  actor text NOT NULL,
  action text NOT NULL,
  scope text,
  skill text,
  version text,
  detail jsonb NOT NULL DEFAULT '{}'
);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of % never change', TG_TABLE_NAME USING ERRCODE = '55000';
END
$$;
CREATE TRIGGER log_is_final BEFORE UPDATE OR DELETE OR TRUNCATE ON log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER blobs_are_final BEFORE UPDATE OR TRUNCATE ON blobs FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER files_are_final BEFORE UPDATE OR TRUNCATE ON version_files FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Of a version only its state, and what belongs to that, may change.
CREATE FUNCTION refuse_other_content() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.skill, NEW.version, NEW.digest, NEW.archive, NEW.published_by, NEW.published_at)
     IS DISTINCT FROM (OLD.skill, OLD.version, OLD.digest, OLD.archive, OLD.published_by, OLD.published_at) THEN
    RAISE EXCEPTION 'versions never change' USING ERRCODE = '55000';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER versions_are_final BEFORE UPDATE ON versions FOR EACH ROW EXECUTE FUNCTION refuse_other_content();

-- How often each version was used, by person, program and week. Nothing of a request.
CREATE TABLE uses (
  week date NOT NULL,
  scope text NOT NULL,
  skill text NOT NULL,
  version text NOT NULL,
  person text NOT NULL,
  host text NOT NULL,
  count int NOT NULL CHECK (count > 0),
  PRIMARY KEY (week, scope, skill, version, person, host)
);

-- The search index as of an entry of the log, so that a replica starts without reading every text.
CREATE TABLE search_index (
  id int PRIMARY KEY CHECK (id = 1),
  format text NOT NULL,
  upto bigint NOT NULL,
  content bytea NOT NULL,
  made_at timestamptz NOT NULL DEFAULT now()
);
