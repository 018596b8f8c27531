-- What moderation has of an account that was deleted is looked for before it goes.
SET LOCAL lock_timeout = '5s';

CREATE INDEX reports_assigned ON reports (assigned_id) WHERE assigned_id IS NOT NULL;
CREATE INDEX reports_closer ON reports (closed_id) WHERE closed_id IS NOT NULL;
CREATE INDEX report_things_account ON report_things (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX report_notes_account ON report_notes (account_id);
CREATE INDEX decisions_moderator ON decisions (moderator_id) WHERE moderator_id IS NOT NULL;
CREATE INDEX appeals_account ON appeals (account_id);
CREATE INDEX appeals_moderator ON appeals (moderator_id) WHERE moderator_id IS NOT NULL;
CREATE INDEX moderation_log_moderator ON moderation_log (moderator_id) WHERE moderator_id IS NOT NULL;
