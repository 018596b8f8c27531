-- What of an account that was deleted is looked for before it goes.
SET LOCAL lock_timeout = '5s';

CREATE INDEX gifs_importer ON gifs (importer_id, id) WHERE importer_id <> 0;
