-- The uploads that will be the pictures of a profile once they are ready. What a profile shows stands in `extras`.
SET LOCAL lock_timeout = '1s';

ALTER TABLE accounts ADD COLUMN awaited_avatar_id bigint, ADD COLUMN awaited_header_id bigint;
