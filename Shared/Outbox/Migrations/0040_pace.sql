-- How far ahead of what is applied a queue is told: as much as it applied within a second when that was last looked at.
SET LOCAL lock_timeout = '5s';

ALTER TABLE retellings
    ADD COLUMN ahead integer NOT NULL DEFAULT 50,
    ADD COLUMN paced_at timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN paced_applied bigint NOT NULL DEFAULT 0;
