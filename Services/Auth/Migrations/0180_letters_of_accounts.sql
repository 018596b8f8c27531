-- Letters to an account that is deleted are looked for before it goes.
SET LOCAL lock_timeout = '5s';

CREATE INDEX letters_account ON letters (account_id) WHERE due_at IS NOT NULL;
