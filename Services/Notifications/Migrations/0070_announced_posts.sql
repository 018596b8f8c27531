-- Notifications of new posts by people one asked to hear of, and of edits of what one boosted.

SET LOCAL lock_timeout = '5s';

ALTER TABLE notifications
    DROP CONSTRAINT notifications_type_check,
    ADD CONSTRAINT notifications_type_check CHECK (
        type IN (
            'mention', 'status', 'favourite', 'reblog', 'update', 'follow', 'follow_request', 'chat_mention',
            'direct_message'
        )
    );
