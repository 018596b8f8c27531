-- Who writes an event sees at once whether others of its subject wait before it.
SET LOCAL lock_timeout = '5s';

CREATE INDEX outbox_subject ON outbox (subject, id);
