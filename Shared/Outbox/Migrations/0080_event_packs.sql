-- Whether events that go the same way travel as one message. Programs before this one do not understand such messages, and may run
-- beside it where they ran before: there it waits for the next release. Where no event was ever told nobody ran before.
SET LOCAL lock_timeout = '5s';

CREATE TABLE event_packs (
    allowed boolean NOT NULL
);

INSERT INTO event_packs (allowed) SELECT NOT is_called FROM outbox_id_seq;
