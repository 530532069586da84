-- The search index, and the skills that it is of, in parts: a start reads them side by side, and unpacks several at once.
CREATE TABLE search_index_parts (
  kind text NOT NULL,
  part int NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (kind, part)
);
-- The hub packs them itself.
ALTER TABLE search_index_parts ALTER COLUMN content SET STORAGE EXTERNAL;
DELETE FROM search_index;
ALTER TABLE search_index DROP COLUMN content;
