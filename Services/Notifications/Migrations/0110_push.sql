-- Devices, what is on its way to them, and what people want to be told there.
SET LOCAL lock_timeout = '5s';

-- One row a session and platform: an app that is installed once has one token.
CREATE TABLE devices (
    id bigint PRIMARY KEY,
    account_id bigint NOT NULL,
    session_id bigint NOT NULL,
    app_id bigint NOT NULL,
    platform text NOT NULL CHECK (platform IN ('apple', 'firebase', 'web')),
    -- A token of APNs in hexadecimal, one of Firebase, or the URL of a subscription.
    address text NOT NULL,
    -- SHA-256 of the address.
    address_hash bytea NOT NULL,
    -- The app's bundle id, for APNs.
    topic text,
    is_sandbox boolean NOT NULL,
    -- Of a subscription: the client's public key, its secret, and whether it speaks the standard or the draft before.
    public_key bytea,
    secret bytea,
    is_standard boolean NOT NULL,
    language text NOT NULL CHECK (language IN ('en', 'ko', 'ja')),
    time_zone text NOT NULL,
    is_mutable boolean NOT NULL,
    -- Of Mastodon's subscriptions: the kinds that are wanted, and of whose doing. NULL wants all.
    alerts text[],
    policy text NOT NULL CHECK (policy IN ('all', 'followed', 'follower', 'none')),
    created_at timestamptz NOT NULL,
    -- When the address was last confirmed.
    registered_at timestamptz NOT NULL,
    -- The number that it was told last.
    badge bigint,
    -- Who sends to it counts it up: what an earlier one says is refused. It is nobody's after `leased_until`.
    flight bigint NOT NULL DEFAULT 0,
    leased_until timestamptz NOT NULL,
    -- Its provider asked for patience, so often in a row.
    rests_until timestamptz NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    CHECK ((platform = 'apple') = (topic IS NOT NULL)),
    CHECK ((platform = 'web') = (public_key IS NOT NULL) AND (platform = 'web') = (secret IS NOT NULL))
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX devices_address ON devices (platform, address_hash);
CREATE UNIQUE INDEX devices_session ON devices (session_id, platform);
CREATE INDEX devices_account ON devices (account_id, registered_at);

-- Sessions that ended a short while ago: a registration that was under way then comes too late.
CREATE TABLE ended_sessions (
    id bigint PRIMARY KEY,
    at timestamptz NOT NULL
);
CREATE INDEX ended_sessions_at ON ended_sessions (at);

-- What is sent to one device, in the order of the ids. Nothing but the worker changes a row, so that who makes entries waits for
-- nobody.
CREATE TABLE deliveries (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- By which the provider and the device know it: the same on every attempt.
    push_id uuid NOT NULL DEFAULT gen_random_uuid(),
    device_id bigint NOT NULL,
    platform text NOT NULL,
    -- NULL for the number alone.
    notification_id bigint,
    kind text NOT NULL,
    collapse_key text,
    state text NOT NULL CHECK (
        state IN ('waiting', 'sent', 'refused', 'read', 'collapsed', 'expired', 'unneeded')
    ),
    made_at timestamptz NOT NULL,
    -- Not sent earlier: the person seems to be reading, or wants quiet.
    not_before timestamptz NOT NULL,
    -- When it is next looked at; NULL once it is over.
    due_at timestamptz,
    expires_at timestamptz NOT NULL,
    ended_at timestamptz,
    attempts integer NOT NULL DEFAULT 0,
    -- Why it waits, or ended as it did.
    reason text,
    -- What the provider calls it.
    name text,
    CHECK ((state = 'waiting') = (due_at IS NOT NULL))
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX deliveries_entry ON deliveries (notification_id, device_id);
CREATE INDEX deliveries_device ON deliveries (device_id, id);
CREATE INDEX deliveries_due ON deliveries (platform, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_waiting ON deliveries (device_id, id) WHERE due_at IS NOT NULL;
CREATE INDEX deliveries_made ON deliveries (made_at);

-- What a person wants to be told, and where something else than elsewhere: of an app or a device, by its id.
CREATE TABLE push_preferences (
    account_id bigint NOT NULL,
    scope text NOT NULL CHECK (scope IN ('account', 'app', 'device')),
    scope_id bigint NOT NULL,
    -- Whether each kind is wanted; a kind that is missing is as in the wider scope, and there wanted.
    kinds jsonb NOT NULL,
    preview text CHECK (preview IN ('full', 'sender', 'none')),
    -- Of an account: minutes of the day between which it is quiet, by the clock of this zone; of each device's without one.
    quiet_from integer CHECK (quiet_from BETWEEN 0 AND 1439),
    quiet_to integer CHECK (quiet_to BETWEEN 0 AND 1439),
    time_zone text,
    PRIMARY KEY (account_id, scope, scope_id),
    CHECK ((quiet_from IS NULL) = (quiet_to IS NULL))
);

-- When the quiet hours end in which `moment` is, by the clock of `zone`; NULL where it is in none.
CREATE FUNCTION quiet_end(moment timestamptz, first integer, last integer, zone text) RETURNS timestamptz
LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN first IS NULL OR first = last THEN NULL
        WHEN first < last AND clock >= first AND clock < last THEN (midnight + last * interval '1 minute') AT TIME ZONE zone
        WHEN first > last AND clock >= first THEN (midnight + (last + 1440) * interval '1 minute') AT TIME ZONE zone
        WHEN first > last AND clock < last THEN (midnight + last * interval '1 minute') AT TIME ZONE zone
    END
    FROM (
        SELECT date_trunc('day', local) AS midnight,
            (extract(hour FROM local) * 60 + extract(minute FROM local))::integer AS clock
        FROM (SELECT moment AT TIME ZONE zone AS local) l
    ) c
$$;
