-- What somebody may do to others here; everybody is a user until an operator says otherwise.
SET LOCAL lock_timeout = '5s';

ALTER TABLE accounts
    ADD COLUMN role text NOT NULL DEFAULT 'user' CHECK (role IN ('user', 'moderator', 'admin'));
