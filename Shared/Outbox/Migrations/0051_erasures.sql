-- Accounts that were deleted, and how far what was kept of them is erased.
SET LOCAL lock_timeout = '5s';

-- A row is an account that never comes back: it stays for good, and is all that does.
CREATE TABLE erasures (
    account_id bigint PRIMARY KEY,
    -- Which step comes next, and how much this round has erased so far.
    step integer NOT NULL DEFAULT 0,
    erased bigint NOT NULL DEFAULT 0,
    -- Rounds that are done: one looks for what came late.
    rounds integer NOT NULL DEFAULT 0,
    heard_at timestamptz NOT NULL DEFAULT now(),
    -- When a round found nothing for the first time, which was told.
    told_at timestamptz,
    -- When the next step is due; NULL after the last round.
    due_at timestamptz DEFAULT now(),
    -- Failed tries of the next step, and why.
    attempts integer NOT NULL DEFAULT 0,
    reason text
);

CREATE INDEX erasures_due ON erasures (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX erasures_untold ON erasures (heard_at) WHERE told_at IS NULL;
