-- What keeps each table from growing for ever, and entries for people who only seem to be connected.

SET LOCAL lock_timeout = '5s';

-- While somebody seems to be connected, a new entry of chat does not count as unread before this moment: most are read
-- by then. NULL counts at once.
ALTER TABLE notifications ADD COLUMN quiet_until timestamptz;

-- When it was last written or shown anew.
ALTER TABLE posts ADD COLUMN touched_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX posts_touched ON posts (touched_at);
ALTER TABLE messages ADD COLUMN touched_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX messages_touched ON messages (touched_at);
ALTER TABLE reads ADD COLUMN touched_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX reads_touched ON reads (touched_at);

-- When it was done or taken back.
ALTER TABLE acts ADD COLUMN at timestamptz NOT NULL DEFAULT now();
CREATE INDEX acts_at ON acts (at);

CREATE INDEX departures_at ON departures (at);

-- When the place was deleted.
ALTER TABLE gone_places ADD COLUMN at timestamptz NOT NULL DEFAULT now();
CREATE INDEX gone_places_at ON gone_places (at);

-- From when on a newer word on the same pair has taken its place, for everything that happened later; NULL for the
-- newest word.
ALTER TABLE silences ADD COLUMN spent_from timestamptz;
UPDATE silences s
SET spent_from = greatest(s.since, n.since)
FROM (
    SELECT l.account_id, l.target_id, l.kind, l.version, min(h.since) AS since
    FROM silences l
    JOIN silences h USING (account_id, target_id, kind)
    WHERE h.version > l.version
    GROUP BY l.account_id, l.target_id, l.kind, l.version
) n
WHERE (s.account_id, s.target_id, s.kind, s.version) = (n.account_id, n.target_id, n.kind, n.version);
CREATE INDEX silences_spent ON silences (spent_from) WHERE spent_from IS NOT NULL;

-- Whose list is full: what was caused up to `moment` is not put into it any more, and the entries up to `entry_id` go.
CREATE TABLE floors (
    account_id bigint PRIMARY KEY,
    entry_id bigint NOT NULL,
    moment timestamptz NOT NULL,
    raised_at timestamptz NOT NULL
);
