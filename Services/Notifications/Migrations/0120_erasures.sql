-- What of an account that was deleted is looked for before it goes.
SET LOCAL lock_timeout = '5s';

CREATE INDEX acts_actor ON acts (actor_id);
CREATE INDEX applications_applicant ON applications ((snapshot ->> 'account_id'));
CREATE INDEX departures_account ON departures (account_id);
CREATE INDEX messages_named ON messages USING gin (named) WHERE named <> '{}';
CREATE INDEX notifications_actor ON notifications (actor_id);
CREATE INDEX notifications_account ON notifications (account_id);
CREATE INDEX posts_author ON posts (author_id) WHERE author_id IS NOT NULL;
CREATE INDEX posts_mentioned ON posts USING gin ((snapshot -> 'mentions') jsonb_path_ops) WHERE snapshot IS NOT NULL;
CREATE INDEX project_mentions_account ON project_mentions (account_id);
CREATE INDEX projects_leader ON projects ((snapshot ->> 'leader_id'));
CREATE INDEX reads_account ON reads (account_id);
