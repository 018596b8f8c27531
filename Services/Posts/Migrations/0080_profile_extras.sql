-- What few people set of their profile, as an object; null for everybody else, whose rows stay as narrow as they were.
SET LOCAL lock_timeout = '1s';

ALTER TABLE accounts ADD COLUMN extras jsonb CHECK (jsonb_typeof(extras) = 'object');

-- The view as it is, whatever columns it has by now, with two more at its end.
DO $$
BEGIN
    EXECUTE 'CREATE OR REPLACE VIEW entries AS '
        || regexp_replace(
            pg_get_viewdef('entries'::regclass),
            '\n\s*FROM ',
            E',\n    a.extras AS author_extras,\n    b.extras AS booster_extras\n   FROM '
        );
END
$$;
