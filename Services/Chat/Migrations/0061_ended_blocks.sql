-- When the newest word on a pair of people came, so that the end of a block can be forgotten after its time.

SET LOCAL lock_timeout = '5s';

ALTER TABLE blocks ADD COLUMN changed_at timestamptz NOT NULL DEFAULT now();

CREATE INDEX blocks_ended ON blocks (changed_at) WHERE NOT active;
