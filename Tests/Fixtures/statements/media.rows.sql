-- The rows on which StatementTests runs the statements of media. Of ten uploads one after another the first is ready and
-- shown, the second is still coming, the third waits, the fourth failed, and the
-- others are ready and shown by nothing.

INSERT INTO uploads (
    id, owner_id, state, purpose, length, received, created_at, expires_at, attempts, media, failure, kept_bytes,
    unused_since
)
SELECT i, CASE WHEN i < 1000 THEN 1 ELSE i / 20 END,
    CASE i % 10 WHEN 2 THEN 'receiving' WHEN 3 THEN 'processing' WHEN 4 THEN 'failed' ELSE 'ready' END,
    'attachment', 5, CASE WHEN i % 100 = 2 AND i <> 202 THEN 3 ELSE 5 END, timestamptz '2026-01-01Z' + i * interval '1 minute',
    CASE WHEN i % 10 = 2 THEN timestamptz '2026-01-02Z' + i * interval '1 minute' END,
    CASE WHEN i % 10 IN (2, 3) THEN 1 ELSE 0 END,
    CASE WHEN i % 10 NOT IN (2, 3, 4) THEN jsonb_build_object(
        'media_id', i::text, 'owner_id', '1', 'type', 'image', 'mime_type', 'image/jpeg', 'bytes', 5,
        'subject_version', 1, 'original', jsonb_build_object('url', lpad(i::text, 32, '0') || '.jpg', 'width', 1, 'height', 1)
    ) END,
    CASE WHEN i % 10 = 4 THEN 'damaged' END, 5, CASE WHEN i % 10 <> 1 THEN timestamptz '2026-01-01Z' + i * interval '1 minute' END
FROM generate_series(1, 20000) i;

INSERT INTO files (name, bytes, loose_since)
SELECT lpad(i::text, 32, '0') || '.jpg', 5,
    CASE WHEN i % 10 = 7 THEN timestamptz '2026-01-01Z' + i * interval '1 minute' END
FROM generate_series(1, 20000) i;

INSERT INTO renditions (upload_id, file)
SELECT i, lpad(i::text, 32, '0') || '.jpg' FROM generate_series(1, 20000) i WHERE i % 10 NOT IN (2, 3, 4, 7);

INSERT INTO subjects (kind, id, version, touched_at)
SELECT 'post', i, 1, timestamptz '2026-01-01Z' + i * interval '1 minute' FROM generate_series(1, 20000) i;

INSERT INTO uses (kind, subject_id, upload_id)
SELECT 'post', i, i FROM generate_series(1, 20000) i WHERE i % 10 = 1;
