-- Visits of issuers by whom somebody who is signed in wants to be let in, too.

SET LOCAL lock_timeout = '5s';

-- To which account the issuer is linked; NULL for a visit that signs somebody in.
ALTER TABLE issuer_visits ADD COLUMN account_id bigint;
