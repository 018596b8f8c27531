-- Edits and withdrawals are told to many followers in steps, too; a step that fails is put off, and seen.
SET LOCAL lock_timeout = '1s';

ALTER TABLE fanouts
    ADD COLUMN kind text NOT NULL DEFAULT 'spread' CHECK (kind IN ('spread', 'refresh', 'withdraw')),
    -- Of the post when it was withdrawn; others are told as they are now.
    ADD COLUMN version bigint NOT NULL DEFAULT 0,
    ADD COLUMN since timestamptz NOT NULL DEFAULT now(),
    -- Failed tries of the next step.
    ADD COLUMN attempts integer NOT NULL DEFAULT 0,
    ADD COLUMN due_at timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN reason text,
    DROP CONSTRAINT fanouts_pkey,
    ADD PRIMARY KEY (post_id, kind);
