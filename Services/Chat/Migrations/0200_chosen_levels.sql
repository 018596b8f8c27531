-- Who chose a level of a channel themselves: of `all`, which everybody begins with, nothing is told to who never asked for it.
SET LOCAL lock_timeout = '5s';

ALTER TABLE channel_members ADD COLUMN notify_chosen boolean NOT NULL DEFAULT false;
-- Few rows: those whom every message of a channel is told to.
CREATE INDEX channel_members_listening ON channel_members (channel_id) WHERE notify_chosen AND notify = 'all';
