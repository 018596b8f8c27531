-- A browser's next visit of an issuer takes over the name that was told with the last, of which nobody came.
SET LOCAL lock_timeout = '5s';

CREATE INDEX issuer_visits_browser ON issuer_visits (browser_hash, issuer);
