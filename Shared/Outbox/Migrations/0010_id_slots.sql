-- release 2
-- Who makes ids in which slot, so that no two processes make the same one.

-- A row is one of the 64 slots of an id. Its milliseconds before `lent_until` have been lent: each only once.
CREATE TABLE id_slots (
    slot smallint PRIMARY KEY CHECK (slot BETWEEN 0 AND 63),
    holder text,
    held_until timestamptz NOT NULL DEFAULT 'epoch',
    lent_until bigint NOT NULL
) WITH (fillfactor = 50);

INSERT INTO id_slots (slot, lent_until)
SELECT s, (extract(epoch FROM now()) * 1000)::bigint FROM generate_series(0, 63) AS s;
