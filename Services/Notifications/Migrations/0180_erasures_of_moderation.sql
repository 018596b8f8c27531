-- What moderation has of an account that was deleted is looked for before it goes.
SET LOCAL lock_timeout = '5s';

CREATE INDEX reports_reporter ON reports ((snapshot #>> '{reporter,id}'));
CREATE INDEX reports_target ON reports ((snapshot #>> '{target,id}'));
CREATE INDEX decisions_account ON decisions ((snapshot ->> 'account_id'));
