-- What of an account that was deleted is looked for before it goes, and what is put into archives of what is theirs.
SET LOCAL lock_timeout = '5s';

CREATE INDEX blocks_blocked_all ON blocks (blocked_id);
CREATE INDEX channels_owner ON channels (owner_id) WHERE owner_id IS NOT NULL;
CREATE INDEX invites_creator ON invites (creator_id);
CREATE INDEX media_owner ON media (owner_id);
CREATE INDEX message_mentions_account ON message_mentions (account_id);
CREATE INDEX messages_mentioned ON messages USING gin (mentions jsonb_path_ops) WHERE mentions <> '[]';
CREATE INDEX messages_of_author ON messages (author_id, id) WHERE author_id <> 0;
CREATE INDEX messages_pinner ON messages (pinner_id) WHERE pinner_id IS NOT NULL;
CREATE INDEX playground_bans_account ON playground_bans (account_id);
CREATE INDEX playground_bans_actor ON playground_bans (actor_id);
CREATE INDEX playgrounds_cover ON playgrounds (cover_id) WHERE cover_id IS NOT NULL;
CREATE INDEX project_room_members_account ON project_room_members (account_id);
CREATE INDEX project_rooms_leader ON project_rooms (leader_id);
CREATE INDEX reactions_account ON reactions (account_id, message_id);
