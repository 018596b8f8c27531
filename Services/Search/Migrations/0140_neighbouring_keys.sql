-- Lists of a term that follow one another have neighbouring keys (decision 0035). A segment stays as it was begun.
ALTER TABLE segments ADD COLUMN neighbouring boolean NOT NULL DEFAULT false;
-- From when on segments are begun so: a day later where copies of the release before may still write.
CREATE TABLE neighbouring_keys (
    since timestamptz PRIMARY KEY
);
INSERT INTO neighbouring_keys SELECT CASE WHEN EXISTS (SELECT FROM documents) THEN now() + interval '1 day' ELSE '-infinity' END;
