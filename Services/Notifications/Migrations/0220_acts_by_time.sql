-- What is aged among acts is found by `acts_aged`, and every act paid for this one as well.
SET LOCAL lock_timeout = '5s';

DROP INDEX acts_at;
