-- The table is empty whenever it is analyzed, so the planner takes all its indexes for as cheap. By (subject, id) it looked rows up
-- by their ids alone, from end to end of the index for each.
SET LOCAL lock_timeout = '5s';

-- First what locks the most.
DROP INDEX outbox_subject;
CREATE INDEX outbox_lines ON outbox (subject, (-id));

-- The newest row that waits of a subject, among those for open connections or among all others. A bitmap would visit what was
-- deleted each time until it is cleaned up; a walk along the index marks it.
CREATE FUNCTION last_of_line(line text, is_live boolean) RETURNS bigint
LANGUAGE plpgsql STABLE
SET enable_bitmapscan = off
AS $$
BEGIN
    RETURN (
        SELECT o.id
        FROM outbox o
        WHERE o.subject = line AND (o.audience = 'live') = is_live
        ORDER BY -o.id
        LIMIT 1
    );
END
$$;
