-- Two syllables that follow one another are kept by what follows them, too (decision 0016). What was put in before has such a pair
-- whole, and is found by it until a rebuild that began later has ended.
SET LOCAL lock_timeout = '5s';

CREATE TABLE whole_pairs (
    kind smallint PRIMARY KEY,
    since timestamptz NOT NULL DEFAULT now()
);
INSERT INTO whole_pairs (kind) SELECT kind FROM generate_series(1, 10) AS k (kind) WHERE EXISTS (SELECT FROM segments);
