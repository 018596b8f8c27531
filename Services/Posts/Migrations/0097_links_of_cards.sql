-- By which id media knows the link of a card; null for what was told before, until it is told again.
SET LOCAL lock_timeout = '1s';

ALTER TABLE cards ADD COLUMN link_id bigint;
