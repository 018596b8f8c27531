-- Playgrounds, channels, messages, and how far people have read. Ids are made by the application.

-- Projections: what chat has heard of accounts, blocks and files.

CREATE TABLE accounts (
    id bigint PRIMARY KEY,
    -- 0 for a row made from a principal, before ProfileUpdated came.
    version bigint NOT NULL,
    username text NOT NULL,
    snapshot jsonb NOT NULL
);
CREATE INDEX accounts_username ON accounts (username text_pattern_ops);

CREATE TABLE blocks (
    blocker_id bigint NOT NULL,
    blocked_id bigint NOT NULL,
    version bigint NOT NULL,
    active boolean NOT NULL,
    PRIMARY KEY (blocker_id, blocked_id)
);
CREATE INDEX blocks_blocked ON blocks (blocked_id) WHERE active;

CREATE TABLE media (
    id bigint PRIMARY KEY,
    version bigint NOT NULL,
    owner_id bigint NOT NULL,
    -- MediaProcessed as it came; NULL for a file that failed.
    snapshot jsonb,
    failure text
);

-- Playgrounds.

CREATE TABLE playgrounds (
    id bigint PRIMARY KEY,
    name text NOT NULL,
    description text NOT NULL,
    cover_id bigint,
    owner_id bigint NOT NULL,
    -- Whether anybody may join without an invitation.
    open boolean NOT NULL,
    -- The public channel that every member is in, as long as they are in the playground.
    default_channel_id bigint NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL
);
CREATE INDEX playgrounds_owner ON playgrounds (owner_id);

CREATE TABLE playground_members (
    playground_id bigint NOT NULL REFERENCES playgrounds ON DELETE CASCADE,
    account_id bigint NOT NULL,
    role text NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
    joined_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (playground_id, account_id)
);
CREATE INDEX playground_members_account ON playground_members (account_id, playground_id);
CREATE UNIQUE INDEX playground_members_owner ON playground_members (playground_id) WHERE role = 'owner';

CREATE TABLE playground_bans (
    playground_id bigint NOT NULL REFERENCES playgrounds ON DELETE CASCADE,
    account_id bigint NOT NULL,
    actor_id bigint NOT NULL,
    reason text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (playground_id, account_id)
);

CREATE TABLE invites (
    code text PRIMARY KEY,
    playground_id bigint NOT NULL REFERENCES playgrounds ON DELETE CASCADE,
    creator_id bigint NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz,
    -- NULL for any number.
    max_uses integer,
    uses integer NOT NULL DEFAULT 0,
    revoked_at timestamptz
);
CREATE INDEX invites_playground ON invites (playground_id, created_at);

-- Channels: those of playgrounds, and direct messages.

CREATE TABLE channels (
    id bigint PRIMARY KEY,
    type text NOT NULL CHECK (type IN ('public', 'private', 'direct', 'group')),
    playground_id bigint REFERENCES playgrounds ON DELETE CASCADE,
    name text NOT NULL,
    description text NOT NULL,
    owner_id bigint,
    -- The members of direct messages, as sorted ids: the same people meet in one place.
    party text,
    archived_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    -- The number of its newest message, and the count of changes to its messages. Both rise by one, in the transaction
    -- of the message, under the row's lock: no gaps.
    last_seq bigint NOT NULL DEFAULT 0,
    last_change bigint NOT NULL DEFAULT 0,
    -- A deleted channel belongs to no playground and has no members, so that nobody sees it. Its messages are removed
    -- later, a few at a time, and the row after them.
    deleted_at timestamptz,
    CHECK ((type IN ('direct', 'group')) = (party IS NOT NULL)),
    CHECK (type IN ('direct', 'group') OR playground_id IS NOT NULL OR deleted_at IS NOT NULL)
);
CREATE INDEX channels_playground ON channels (playground_id, id);
CREATE INDEX channels_deleted ON channels (id) WHERE deleted_at IS NOT NULL;
CREATE UNIQUE INDEX channels_name ON channels (playground_id, lower(name)) WHERE type IN ('public', 'private');
CREATE UNIQUE INDEX channels_party ON channels (party, coalesce(playground_id, 0)) WHERE party IS NOT NULL;

CREATE TABLE channel_members (
    channel_id bigint NOT NULL REFERENCES channels ON DELETE CASCADE,
    account_id bigint NOT NULL,
    role text NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
    -- Direct messages from a stranger wait here until they are accepted.
    requested boolean NOT NULL DEFAULT false,
    -- Everything up to this message is read.
    last_read_seq bigint NOT NULL DEFAULT 0,
    -- Which messages notify: all, those that name the member, or none.
    notify text NOT NULL DEFAULT 'all' CHECK (notify IN ('all', 'mentions', 'none')),
    muted_until timestamptz,
    joined_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (channel_id, account_id)
);
CREATE INDEX channel_members_account ON channel_members (account_id, channel_id);
CREATE UNIQUE INDEX channel_members_owner ON channel_members (channel_id) WHERE role = 'owner';

-- Messages.

CREATE TABLE messages (
    id bigint PRIMARY KEY,
    channel_id bigint NOT NULL REFERENCES channels ON DELETE CASCADE,
    seq bigint NOT NULL,
    author_id bigint NOT NULL,
    text text NOT NULL,
    language text,
    -- Made by the client, so that a retry does not say the same twice.
    client_id text,
    attachment_ids bigint[] NOT NULL DEFAULT '{}',
    gif jsonb,
    reply_to_id bigint,
    thread_id bigint,
    -- [{"id", "username"}…], in the order of the text.
    mentions jsonb NOT NULL DEFAULT '[]',
    wide_mention text CHECK (wide_mention IN ('channel', 'here')),
    created_at timestamptz NOT NULL,
    edited_at timestamptz,
    -- A deleted message keeps its number and nothing else.
    deleted_at timestamptz,
    pinned_at timestamptz,
    pinner_id bigint,
    -- The channel's last_change when this message was last changed.
    change bigint NOT NULL,
    UNIQUE (channel_id, seq)
);
CREATE UNIQUE INDEX messages_client ON messages (channel_id, author_id, client_id) WHERE client_id IS NOT NULL;
CREATE INDEX messages_change ON messages (channel_id, change);
CREATE INDEX messages_time ON messages (channel_id, created_at, seq);
CREATE INDEX messages_thread ON messages (thread_id, seq) WHERE thread_id IS NOT NULL;
CREATE INDEX messages_pinned ON messages (channel_id, pinned_at) WHERE pinned_at IS NOT NULL;
-- What does not count as unread: one's own messages, and deleted ones.
CREATE INDEX messages_author ON messages (channel_id, author_id, seq);
CREATE INDEX messages_deleted ON messages (channel_id, seq) WHERE deleted_at IS NOT NULL;
CREATE INDEX messages_wide ON messages (channel_id, seq) WHERE wide_mention IS NOT NULL AND deleted_at IS NULL;

CREATE TABLE message_mentions (
    channel_id bigint NOT NULL,
    account_id bigint NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (channel_id, account_id, seq),
    FOREIGN KEY (channel_id, seq) REFERENCES messages (channel_id, seq) ON DELETE CASCADE
);
CREATE INDEX message_mentions_message ON message_mentions (channel_id, seq);

CREATE TABLE reactions (
    message_id bigint NOT NULL REFERENCES messages ON DELETE CASCADE,
    emoji text NOT NULL,
    account_id bigint NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (message_id, emoji, account_id)
);

-- What answers are made of.

CREATE VIEW playground_entries AS
SELECT p.id, p.name, p.description, p.cover_id, p.owner_id, p.open, p.default_channel_id, p.created_at, p.updated_at,
    p.version,
    (SELECT count(*) FROM playground_members m WHERE m.playground_id = p.id) AS members_count,
    f.snapshot AS cover
FROM playgrounds p
LEFT JOIN media f ON f.id = p.cover_id;

CREATE VIEW channel_entries AS
SELECT c.id, c.type, c.playground_id, c.name, c.description, c.owner_id, c.archived_at, c.created_at, c.updated_at,
    c.version, c.last_seq, c.last_change,
    coalesce(p.default_channel_id = c.id, false) AS is_default,
    (SELECT count(*) FROM channel_members m WHERE m.channel_id = c.id) AS members_count,
    -- The people of direct messages; NULL for a playground's channel, which may have thousands.
    CASE WHEN c.party IS NOT NULL THEN (
        SELECT jsonb_agg(
            jsonb_build_object(
                'id', a.id::text,
                'username', a.username,
                'display_name', coalesce(a.snapshot->>'display_name', '')
            )
            ORDER BY a.id
        )
        FROM channel_members m
        JOIN accounts a ON a.id = m.account_id
        WHERE m.channel_id = c.id
    ) END AS people
FROM channels c
LEFT JOIN playgrounds p ON p.id = c.playground_id
WHERE c.deleted_at IS NULL;
