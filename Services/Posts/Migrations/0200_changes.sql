-- no transaction: each table is locked by itself, while others write.
-- Timelines and threads are shown again while nothing of theirs changed (`changes`). A positive number is an account or a post: what is
-- shown of it, and to an account. A negative one is a list: of an account's own posts, or of a conversation's. -1 is whatever may bring
-- back to home timelines what they left out.
SET lock_timeout = '2s';

SELECT note_changes('accounts', 'ARRAY[r.id]');
SELECT note_changes(
    'posts',
    'ARRAY[
        r.id, -r.account_id, -r.conversation_id, CASE WHEN r.boost_of_id IS NOT NULL THEN r.account_id END,
        CASE WHEN r.boost_of_id IS NOT NULL AND TG_OP = ''DELETE'' THEN -1 END
    ] || r.mentioned_ids'
);
SELECT note_changes('timeline', 'ARRAY[r.account_id]');
SELECT note_changes('follows', 'ARRAY[r.follower_id]');
SELECT note_changes('blocks', 'ARRAY[r.account_id, r.target_id]');
SELECT note_changes('mutes', 'ARRAY[r.account_id]');
SELECT note_changes('favourites', 'ARRAY[r.account_id]');
SELECT note_changes('bookmarks', 'ARRAY[r.account_id]');
SELECT note_changes('conversation_mutes', 'ARRAY[r.account_id]');
SELECT note_changes('cards', format('ARRAY[%I.link_subject(r.hash)]', current_schema()));
SELECT note_changes('restricted_accounts', 'ARRAY[0::bigint]');
SELECT note_changes('popular_accounts', 'ARRAY[0::bigint]');

-- A post that comes back was left out where it will be shown, and so was a boost behind one that goes.
CREATE OR REPLACE TRIGGER note_return AFTER UPDATE OF deleted_at ON posts FOR EACH ROW
WHEN (
    old.deleted_at IS NOT NULL AND new.deleted_at IS NULL
    OR old.deleted_at IS NULL AND new.deleted_at IS NOT NULL AND new.boost_of_id IS NOT NULL
)
EXECUTE FUNCTION note_subject('-1');
RESET lock_timeout;
