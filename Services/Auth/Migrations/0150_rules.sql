-- What may not be written here, the texts that people agree to, and who agreed to which.

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

-- Each is blocked once.
CREATE UNIQUE INDEX blocked_terms_text ON blocked_terms (text) WHERE action IS NOT NULL;
CREATE UNIQUE INDEX blocked_domains_domain ON blocked_domains (domain);

-- A version of the rules, the privacy policy or the terms of service. None is ever changed.
CREATE TABLE documents (
    id bigint PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('rules', 'privacy', 'terms')),
    -- 1, 2, 3… of its kind; 0 is what stands in the settings.
    version bigint NOT NULL,
    published_at timestamptz NOT NULL,
    effective_on date NOT NULL,
    -- Until when somebody who has not agreed to it yet may go on; NULL where nobody has to agree anew.
    consent_until timestamptz,
    CONSTRAINT documents_key UNIQUE (kind, version),
    -- One of a kind a day: by the day it is asked for.
    CONSTRAINT documents_day UNIQUE (kind, effective_on)
);

CREATE TABLE document_texts (
    document_id bigint NOT NULL REFERENCES documents ON DELETE CASCADE,
    language text NOT NULL,
    text text NOT NULL,
    PRIMARY KEY (document_id, language)
);

-- Who agreed to which version, and how: on a page, by an app, with an issuer.
CREATE TABLE consents (
    account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
    kind text NOT NULL,
    version bigint NOT NULL,
    given_at timestamptz NOT NULL,
    way text NOT NULL,
    PRIMARY KEY (account_id, kind, version)
);
