-- Moderators list accounts by what is in force on them.
SET LOCAL lock_timeout = '5s';

CREATE INDEX restricted_accounts_in_force ON restricted_accounts (account_id) WHERE restrictions <> '{}';
