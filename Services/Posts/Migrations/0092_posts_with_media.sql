-- Lists of posts with files alone. By itself, so that timelines can be read meanwhile.
SET LOCAL lock_timeout = '5s';

CREATE INDEX posts_account_media ON posts (account_id, id DESC) WHERE media IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX posts_public_media ON posts (id DESC)
    WHERE media IS NOT NULL AND visibility = 'public' AND boost_of_id IS NULL AND deleted_at IS NULL
        AND (in_reply_to_id IS NULL OR in_reply_to_account_id = account_id);
