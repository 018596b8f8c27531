-- What is planned while the outbox is empty is used when it is not: a table that has no pages would be read from its first to its
-- last row ever after, all those among them that are deleted and not yet cleaned up.
SET LOCAL lock_timeout = '5s';

ALTER TABLE outbox SET (vacuum_truncate = false);
