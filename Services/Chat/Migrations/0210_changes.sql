-- no transaction: each table is locked by itself, while others write.
-- Overviews are shown again while nothing of theirs changed (`changes`). A number is an account, what is shown of it and to it, or a
-- channel with everything said there, a playground or a file.
--
-- Mentions and reactions have none of their own: with each the row of its message changes.
SET lock_timeout = '2s';

SELECT note_changes('accounts', 'ARRAY[r.id]');
SELECT note_changes('media', 'ARRAY[r.id]');
SELECT note_changes('cards', format('ARRAY[%I.link_subject(r.hash)]', current_schema()));
SELECT note_changes('playgrounds', 'ARRAY[r.id]');
SELECT note_changes('playground_members', 'ARRAY[r.playground_id, r.account_id]');
SELECT note_changes('channels', 'ARRAY[r.id]');
SELECT note_changes('channel_members', 'ARRAY[r.channel_id, r.account_id]');
SELECT note_changes('messages', 'ARRAY[r.channel_id]');
SELECT note_changes('restricted_accounts', 'ARRAY[0::bigint]');
RESET lock_timeout;
