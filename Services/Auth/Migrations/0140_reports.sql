-- Counts how often somebody's role changed, so that of what is told of it the newest is known.
SET LOCAL lock_timeout = '5s';

ALTER TABLE accounts ADD COLUMN role_version bigint NOT NULL DEFAULT 0;
CREATE INDEX accounts_role ON accounts (id) WHERE role <> 'user' OR role_version > 0;
