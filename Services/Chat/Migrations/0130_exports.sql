-- What somebody wrote and how they reacted, wherever that was: for archives of what is theirs.
SET LOCAL lock_timeout = '5s';

CREATE INDEX messages_of_author ON messages (author_id, id) WHERE deleted_at IS NULL;
CREATE INDEX reactions_account ON reactions (account_id, message_id);
