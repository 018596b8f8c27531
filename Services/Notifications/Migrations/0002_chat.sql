-- Notifications of chat: who named whom, and direct messages that found nobody connected.

SET LOCAL lock_timeout = '5s';

-- How channels look, from whatever event told it last.
CREATE TABLE channels (
    id bigint PRIMARY KEY,
    version bigint NOT NULL,
    type text NOT NULL,
    playground_id bigint,
    name text NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX channels_playground ON channels (playground_id) WHERE playground_id IS NOT NULL;

-- Messages that a notification may show, by their beginning. A deleted one keeps its row without its text, so that what
-- arrives late is known to be late.
CREATE TABLE messages (
    id bigint PRIMARY KEY,
    change bigint NOT NULL,
    channel_id bigint NOT NULL,
    seq bigint NOT NULL,
    -- NULL once deleted.
    text text,
    -- Whom its newest form names.
    named bigint[] NOT NULL,
    -- Whether its newest form names every member.
    names_all boolean NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX messages_channel ON messages (channel_id);

-- The highest message up to which somebody ever read a channel. Marking it unread does not lower it: nobody is notified
-- of the same message again.
CREATE TABLE reads (
    channel_id bigint NOT NULL,
    account_id bigint NOT NULL,
    seq bigint NOT NULL,
    PRIMARY KEY (channel_id, account_id)
) WITH (fillfactor = 80);

-- When somebody last left a channel or a playground: nothing said before concerns them any more.
CREATE TABLE departures (
    place_id bigint NOT NULL,
    account_id bigint NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (place_id, account_id)
);

-- Deleted channels and playgrounds. What arrives late about them is left.
CREATE TABLE gone_places (id bigint PRIMARY KEY);

-- A mention in chat has the message as its subject, and so has a direct message: a list shows only the newest of a
-- channel. `withdrawn` is a mention that the newest form of the message does not make.
ALTER TABLE notifications
    ADD COLUMN channel_id bigint,
    ADD COLUMN seq bigint,
    ADD COLUMN withdrawn boolean NOT NULL DEFAULT false,
    DROP CONSTRAINT notifications_type_check,
    ADD CONSTRAINT notifications_type_check CHECK (
        type IN ('mention', 'favourite', 'reblog', 'follow', 'follow_request', 'chat_mention', 'direct_message')
    ),
    ADD CONSTRAINT notifications_message CHECK (
        (type IN ('chat_mention', 'direct_message')) = (channel_id IS NOT NULL)
        AND (channel_id IS NULL) = (seq IS NULL)
    );
CREATE INDEX notifications_channel ON notifications (channel_id, account_id, type, seq) WHERE channel_id IS NOT NULL;

-- Whether the entry of a direct message has been renewed by a later one of its channel.
CREATE FUNCTION is_renewed(recipient bigint, channel bigint, number bigint) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT FROM notifications n
        WHERE n.channel_id = channel AND n.account_id = recipient AND n.type = 'direct_message' AND n.seq > number
            AND NOT is_silenced(n.account_id, n.actor_id, n.created_at)
    )
$$;
