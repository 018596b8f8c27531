-- Notifications of what is said in channels, for those who asked to hear of all of it.
SET LOCAL lock_timeout = '5s';

-- What is there satisfied the narrower constraints: nobody looks through it again.
ALTER TABLE notifications
    DROP CONSTRAINT notifications_type_check,
    ADD CONSTRAINT notifications_type_check CHECK (
        type IN (
            'mention', 'status', 'favourite', 'reblog', 'update', 'follow', 'follow_request', 'chat_mention',
            'direct_message', 'channel_message', 'project_application', 'project_accepted', 'project_declined',
            'project_withdrawn', 'project_deadline', 'project_update', 'project_mention', 'admin.report',
            'moderation_warning'
        )
    ) NOT VALID,
    DROP CONSTRAINT notifications_message,
    ADD CONSTRAINT notifications_message CHECK (
        (type IN ('chat_mention', 'direct_message', 'channel_message')) = (channel_id IS NOT NULL)
        AND (channel_id IS NULL) = (seq IS NULL)
    ) NOT VALID;

-- Of a channel's entries a list shows the newest. A channel has entries of one of these kinds alone.
CREATE OR REPLACE FUNCTION is_renewed(recipient bigint, channel bigint, number bigint) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT FROM notifications n
        WHERE n.channel_id = channel AND n.account_id = recipient AND n.type IN ('direct_message', 'channel_message')
            AND n.seq > number AND NOT is_silenced(n.account_id, n.actor_id, n.created_at)
    )
$$;
