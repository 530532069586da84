-- A person may have several machines. Each sends its own sums, so that they add up and none counts twice.
ALTER TABLE uses ADD COLUMN client text NOT NULL DEFAULT '';
ALTER TABLE uses DROP CONSTRAINT uses_pkey;
ALTER TABLE uses ADD PRIMARY KEY (week, scope, skill, version, person, host, client);

-- The tag that was asked for; it moves to the version when readers may see it.
ALTER TABLE versions ADD COLUMN tag text;

-- Who approved a version; yanking and its end decide, too, and approve nothing.
ALTER TABLE versions ADD COLUMN approved_by text;
UPDATE versions v SET approved_by = l.actor FROM log l JOIN skills s ON s.scope = l.scope AND s.name = l.skill
  WHERE l.action = 'approve' AND s.id = v.skill AND l.version = v.version;
