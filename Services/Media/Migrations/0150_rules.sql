-- Words and domains that are blocked, as auth tells them: no page of such a domain is looked at.

SET LOCAL lock_timeout = '5s';

CREATE TABLE blocked_terms (
    id bigint PRIMARY KEY,
    text text NOT NULL,
    -- NULL once it is blocked no more.
    action text CHECK (action IN ('refuse', 'report')),
    sees_through_digits boolean NOT NULL,
    version bigint NOT NULL,
    changed_at timestamptz NOT NULL
);
CREATE INDEX blocked_terms_version ON blocked_terms (version);
CREATE INDEX blocked_terms_ended ON blocked_terms (changed_at) WHERE action IS NULL;

CREATE TABLE blocked_domains (
    id bigint PRIMARY KEY,
    -- In lower-case ASCII; what is below it is blocked with it.
    domain text NOT NULL,
    blocks_mail boolean NOT NULL,
    blocks_links boolean NOT NULL,
    version bigint NOT NULL,
    changed_at timestamptz NOT NULL
);
CREATE INDEX blocked_domains_version ON blocked_domains (version);
CREATE INDEX blocked_domains_ended ON blocked_domains (changed_at) WHERE NOT (blocks_mail OR blocks_links);
