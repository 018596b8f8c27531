-- What of an account that was deleted is looked for before it goes.
SET LOCAL lock_timeout = '5s';

CREATE INDEX account_notes_target ON account_notes (target_id);
CREATE INDEX posts_tombstones ON posts (account_id, id) WHERE deleted_at IS NOT NULL AND account_id <> 0;
CREATE INDEX posts_mentioned ON posts USING gin (mentioned_ids) WHERE mentioned_ids <> '{}';
CREATE INDEX post_edits_mentioned ON post_edits USING gin (mentioned_ids) WHERE mentioned_ids <> '{}';
CREATE INDEX conversations_party ON conversations USING gin (party);
CREATE INDEX media_owner ON media (owner_id);
CREATE INDEX projects_tombstones ON projects (leader_id, id) WHERE deleted_at IS NOT NULL AND leader_id <> 0;
CREATE INDEX projects_mentioned ON projects USING gin (mentioned_ids) WHERE mentioned_ids <> '{}';
CREATE INDEX project_edits_mentioned ON project_edits USING gin ((form -> 'mentions') jsonb_path_ops);
