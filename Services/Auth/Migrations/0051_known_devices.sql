-- Devices from which somebody signed in, of apps that send a name of the device and keep nothing for us.
CREATE TABLE known_devices (
    account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
    -- SHA-256 of what the device is called.
    device_hash bytea NOT NULL,
    seen_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, device_hash)
);

CREATE INDEX known_devices_seen ON known_devices (seen_at);
