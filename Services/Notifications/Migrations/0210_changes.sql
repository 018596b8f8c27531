-- no transaction: each table is locked by itself, while others write.
-- Lists of notifications are shown again while nothing of theirs changed (`changes`). A number is an account, what is shown of it and to
-- it, or a post, message, channel, project, application, report or decision.
SET lock_timeout = '2s';

SELECT note_changes('notifications', 'ARRAY[r.account_id]');
SELECT note_changes('silences', 'ARRAY[r.account_id, r.target_id]');
SELECT note_changes('markers', 'ARRAY[r.account_id]');
SELECT note_changes('acts', 'ARRAY[r.actor_id]');
SELECT note_changes('accounts', 'ARRAY[r.id]');
SELECT note_changes('posts', 'ARRAY[r.id]');
SELECT note_changes('cards', format('ARRAY[%I.link_subject(r.hash)]', current_schema()));
SELECT note_changes('channels', 'ARRAY[r.id]');
SELECT note_changes('messages', 'ARRAY[r.id]');
SELECT note_changes('projects', 'ARRAY[r.id]');
SELECT note_changes('applications', 'ARRAY[r.id]');
SELECT note_changes('reports', 'ARRAY[r.id]');
SELECT note_changes('decisions', 'ARRAY[r.id]');
SELECT note_changes('restricted_accounts', 'ARRAY[0::bigint]');
RESET lock_timeout;
