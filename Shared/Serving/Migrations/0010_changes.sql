-- What changed lately, so that a process may show again what it has shown when nothing of it did. Whoever looks is told of every
-- transaction that was committed since they looked last: its number is at or above the last snapshot's end, or was under way in it.
SET LOCAL lock_timeout = '5s';

-- Not written to the WAL: after a crash it is empty, and whoever looks forgets what they had (`change_floor` is empty too).
CREATE UNLOGGED TABLE changes (
    xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    -- Numbers of whatever changed; 0 is everything.
    subjects bigint[] NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.5);
CREATE INDEX changes_xid ON changes (xid);

-- Below `xid` nothing is kept any more; below `next_xid` nothing will be from the next round on.
CREATE UNLOGGED TABLE change_floor (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    xid xid8 NOT NULL,
    next_xid xid8 NOT NULL,
    moved_at timestamptz NOT NULL
);

-- The preview of a link among subjects, by the SHA-256 of the link.
CREATE FUNCTION link_subject(hash bytea) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT ('x' || encode(substring(hash FROM 1 FOR 8), 'hex'))::bit(64)::bigint
$$;

-- Notes the subject that is its argument.
CREATE FUNCTION note_subject() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO changes (subjects) VALUES (ARRAY[tg_argv[0]::bigint]);
    RETURN NULL;
END
$$;

-- Has the changes of a table noted, from the transaction that makes them. Once more is as good as once.
--
-- subjects: an array of bigint made of the row `r`, by which others know what is shown of it, without what is NULL. They are those
-- of a new row, or of one that goes: a column that they are made of never changes, or what was there before need not be told. Whoever
-- writes may have another search_path.
CREATE FUNCTION note_changes(noted regclass, subjects text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    name text := (SELECT relname FROM pg_class WHERE oid = noted);
    event text;
BEGIN
    EXECUTE format(
        'CREATE OR REPLACE FUNCTION %I() RETURNS trigger LANGUAGE plpgsql AS $f$
        BEGIN
            INSERT INTO %I.changes (subjects)
            SELECT CASE WHEN count(*) > 10000 THEN ''{0}'' ELSE array_agg(s.subject) END
            FROM touched r CROSS JOIN LATERAL (SELECT unnest(%s) AS subject) s
            WHERE s.subject IS NOT NULL
            HAVING count(*) > 0;
            RETURN NULL;
        END
        $f$',
        'note_' || name, current_schema(), subjects
    );
    FOREACH event IN ARRAY ARRAY['INSERT', 'UPDATE', 'DELETE'] LOOP
        EXECUTE format(
            'CREATE OR REPLACE TRIGGER %I AFTER %s ON %s REFERENCING %s TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION %I()',
            'note_' || lower(event), event, noted, CASE event WHEN 'DELETE' THEN 'OLD' ELSE 'NEW' END, 'note_' || name
        );
    END LOOP;
    EXECUTE format(
        'CREATE OR REPLACE TRIGGER note_truncate AFTER TRUNCATE ON %s FOR EACH STATEMENT EXECUTE FUNCTION note_subject(''0'')', noted
    );
END
$$;
