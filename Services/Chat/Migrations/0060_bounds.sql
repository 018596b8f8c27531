-- Finds the invitations that let nobody in any more.

SET LOCAL lock_timeout = '5s';

CREATE INDEX invites_ended ON invites (least(expires_at, revoked_at))
    WHERE least(expires_at, revoked_at) IS NOT NULL;
CREATE INDEX invites_used_up ON invites (created_at) WHERE uses >= max_uses;
