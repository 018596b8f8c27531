-- The conversations of the direct posts that are there; whoever named somebody has told them, so none is unread.
SET LOCAL lock_timeout = '5s';

INSERT INTO conversations (account_id, thread_id, party, last_post_id, unread)
SELECT member.id, d.thread_id, d.party, max(d.id), false
FROM (
    SELECT p.id, p.conversation_id AS thread_id, party_of(p.account_id, p.mentioned_ids) AS party
    FROM posts p
    WHERE p.visibility = 'direct' AND p.deleted_at IS NULL
) d
CROSS JOIN LATERAL unnest(d.party) member (id)
GROUP BY member.id, d.thread_id, d.party
ON CONFLICT (thread_id, account_id, party) DO NOTHING;
