-- What keeps accounts from something, as posts told it last: of whom nobody may see the catalogue says no name.
SET LOCAL lock_timeout = '5s';

CREATE TABLE restricted_accounts (
    account_id bigint PRIMARY KEY,
    restrictions text[] NOT NULL,
    version bigint NOT NULL,
    is_hidden boolean NOT NULL GENERATED ALWAYS AS (restrictions && ARRAY['suspended', 'leaving']) STORED,
    is_limited boolean NOT NULL GENERATED ALWAYS AS (restrictions && ARRAY['limited']) STORED
);
