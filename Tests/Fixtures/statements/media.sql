-- FileStore.announce(_:at:in:)
INSERT INTO files (name, bytes, loose_since)
SELECT name, bytes, $1 FROM unnest($2, $3) AS f (name, bytes)
ON CONFLICT (name) DO UPDATE SET loose_since = excluded.loose_since;

-- FileStore.keep(_:for:in:)
WITH kept AS (
    UPDATE files SET loose_since = NULL WHERE name = ANY ($1) RETURNING name
), made AS (
    INSERT INTO renditions (upload_id, file) SELECT $2, name FROM kept ON CONFLICT DO NOTHING
)
SELECT count(*) FROM kept;

-- FileStore.known(_:in:)
SELECT name FROM files WHERE name = ANY ($1);

-- FileStore.loose(before:in:)
SELECT name FROM files WHERE loose_since < $1
ORDER BY loose_since LIMIT 100 FOR UPDATE SKIP LOCKED;

-- FileStore.loosen(filesOf:at:in:)
WITH gone AS (
    DELETE FROM renditions WHERE upload_id = ANY ($1) RETURNING file
)
UPDATE files SET loose_since = $2 WHERE name IN (SELECT file FROM gone);

-- FileStore.settle(_:in:)
WITH needed AS (
    UPDATE files SET loose_since = NULL
    WHERE name = ANY ($1) AND name IN (SELECT file FROM renditions WHERE file = ANY ($2))
)
DELETE FROM files
WHERE name = ANY ($3)
    AND NOT EXISTS (SELECT FROM renditions WHERE renditions.file = files.name)
RETURNING name, bytes;

-- JobStore.claim(at:lease:in:)
UPDATE uploads SET attempts = attempts + 1, leased_until = $1
WHERE id = (
    SELECT id FROM uploads
    WHERE state = 'processing' AND (leased_until IS NULL OR leased_until < $2)
    ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
)
RETURNING id, owner_id, state, version, purpose, description, focus_x, focus_y, length, received, expires_at, failure, media, attempts;

-- JobStore.fail(_:in:)
UPDATE uploads
SET state = 'failed', version = $1, failure = $2, kept_bytes = 0,
    leased_until = NULL
WHERE id = $3;

-- JobStore.finish(_:keptBytes:in:)
UPDATE uploads
SET state = 'ready', version = $1, media = $2,
    kept_bytes = $3, leased_until = NULL
WHERE id = $4;

-- JobStore.lock(_:attempt:in:)
SELECT id, owner_id, state, version, purpose, description, focus_x, focus_y, length, received, expires_at, failure, media FROM uploads
WHERE id = $1 AND state = 'processing' AND attempts = $2
FOR UPDATE;

-- JobStore.putOff(_:attempt:until:counts:in:)
UPDATE uploads SET leased_until = $1, attempts = attempts - $2
WHERE id = $3 AND state = 'processing' AND attempts = $4;

-- JobStore.renew(_:attempt:until:in:)
UPDATE uploads SET leased_until = $1
WHERE id = $2 AND state = 'processing' AND attempts = $3;

-- UploadStore.advance(_:to:by:expires:in:)
UPDATE uploads SET received = $1, expires_at = $2
WHERE id = $3 AND state = 'receiving' AND attempts = $4;

-- UploadStore.delete(_:in:)
DELETE FROM uploads WHERE id = ANY ($1) RETURNING id, owner_id, state, version, purpose, description, focus_x, focus_y, length, received, expires_at, failure, media;

-- UploadStore.describe(_:as:version:told:in:)
UPDATE uploads
SET description = $1, focus_x = $2, focus_y = $3,
    version = $4, media = $5
WHERE id = $6;

-- UploadStore.expired(at:in:)
SELECT id FROM uploads WHERE state = 'receiving' AND expires_at < $1
ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED;

-- UploadStore.finish(_:in:)
UPDATE uploads SET state = 'processing', expires_at = NULL, attempts = 0
WHERE id = $1 AND state = 'receiving' AND received = length;

-- UploadStore.insert(_:in:)
INSERT INTO uploads (id, owner_id, state, purpose, description, focus_x, focus_y, length, received, created_at,
    expires_at, kept_bytes, unused_since)
VALUES ($1, $2, $3, $4,
    $5, $6, $7, $8,
    $9, $10, $11, $12, $13)
RETURNING id, owner_id, state, version, purpose, description, focus_x, focus_y, length, received, expires_at, failure, media;

-- UploadStore.isUsed(_:in:)
SELECT count(*) FROM uploads u WHERE u.id = $1 AND u.unused_since IS NULL;

-- UploadStore.lock(_:of:in:)
SELECT id, owner_id, state, version, purpose, description, focus_x, focus_y, length, received, expires_at, failure, media FROM uploads WHERE id = $1 AND owner_id = $2 FOR UPDATE;

-- UploadStore.needed(_:in:)
SELECT id FROM uploads WHERE id = ANY ($1) AND state IN ('receiving', 'processing');

-- UploadStore.take(_:of:at:in:)
UPDATE uploads SET attempts = attempts + 1
WHERE id = $1 AND owner_id = $2 AND state = 'receiving' AND received = $3
RETURNING attempts;

-- UploadStore.unused(since:in:)
SELECT id FROM uploads WHERE unused_since < $1
ORDER BY unused_since LIMIT 100 FOR UPDATE SKIP LOCKED;

-- UploadStore.upload(_:of:in:)
SELECT id, owner_id, state, version, purpose, description, focus_x, focus_y, length, received, expires_at, failure, media FROM uploads WHERE id = $1 AND owner_id = $2;

-- UploadStore.usage(of:in:)
SELECT CAST(coalesce(sum(kept_bytes), 0) AS bigint),
    count(*) FILTER (WHERE state IN ('receiving', 'processing'))
FROM uploads
WHERE owner_id = $1;

-- UseStore.forget(_:in:)
DELETE FROM uses WHERE upload_id = ANY ($1);

-- UseStore.forgetSubjects(before:in:)
DELETE FROM subjects
WHERE (kind, id) IN (
    SELECT kind, id FROM subjects
    WHERE touched_at < $1
        AND NOT EXISTS (SELECT FROM uses WHERE uses.kind = subjects.kind AND uses.subject_id = subjects.id)
    ORDER BY touched_at LIMIT 1000
);

-- UseStore.keep(_:at:in:)
WITH shown AS (
    SELECT * FROM unnest($1, $2, $3)
    AS p (kind, subject_id, upload_id)
), newer AS (
    INSERT INTO subjects (kind, id, version, touched_at)
    SELECT kind, id, version, $4
    FROM unnest($5, $6, $7)
        AS s (kind, id, version)
    ON CONFLICT (kind, id) DO UPDATE
    SET version = excluded.version, touched_at = excluded.touched_at
    WHERE subjects.version < excluded.version
    RETURNING kind, id
), ended AS (
    DELETE FROM uses
    USING newer
    WHERE uses.kind = newer.kind AND uses.subject_id = newer.id
        AND NOT EXISTS (
            SELECT FROM shown
            WHERE shown.kind = uses.kind AND shown.subject_id = uses.subject_id
                AND shown.upload_id = uses.upload_id
        )
    RETURNING uses.upload_id
), begun AS (
    INSERT INTO uses (kind, subject_id, upload_id)
    SELECT shown.kind, shown.subject_id, shown.upload_id
    FROM shown JOIN newer ON newer.kind = shown.kind AND newer.id = shown.subject_id
    ON CONFLICT DO NOTHING
    RETURNING upload_id
)
SELECT upload_id FROM ended UNION SELECT upload_id FROM begun ORDER BY 1;

-- UseStore.lock(_:in:)
SELECT id FROM uploads WHERE id = ANY ($1) ORDER BY id FOR UPDATE;

-- UseStore.settle(_:at:in:)
UPDATE uploads
SET unused_since = CASE WHEN used.is_used THEN NULL ELSE coalesce(unused_since, $1) END
FROM (
    SELECT u.id, EXISTS (SELECT FROM uses WHERE uses.upload_id = u.id) AS is_used
    FROM uploads u
    WHERE u.id = ANY ($2)
) used
WHERE uploads.id = used.id;
