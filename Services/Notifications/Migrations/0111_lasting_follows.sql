-- Who follows whom is asked for by subscriptions for as long as it lasts, so that no follow goes by its age. By itself, so that
-- notifications can be read meanwhile.
SET LOCAL lock_timeout = '5s';

CREATE INDEX acts_aged ON acts (at) WHERE NOT (kind = 'follow' AND active);
