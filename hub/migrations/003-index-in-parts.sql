-- The hub packs the index itself. Kept as it is, a part of it is read without unpacking all that is before it.
ALTER TABLE search_index ALTER COLUMN content SET STORAGE EXTERNAL;
