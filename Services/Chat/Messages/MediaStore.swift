// SPDX-License-Identifier: Apache-2.0
// The projection of files: which are ready to be shown, and who may attach them.

import Domain
import Events
import Postgres
import Serving

enum MediaStore {
    /// Keeps what is said unless something newer is known; one row when it was kept.
    static func keep(_ media: MediaProcessed) throws -> SQL {
        """
        INSERT INTO media (id, version, owner_id, snapshot)
        VALUES (\(media.mediaID), \(media.subjectVersion), \(media.ownerID), \(try JSONB(snapshot: media)))
        ON CONFLICT (id) DO UPDATE SET version = excluded.version, snapshot = excluded.snapshot, failure = NULL
        WHERE excluded.version > media.version
        RETURNING 1
        """
    }

    static func keep(_ failure: MediaFailed) -> SQL {
        """
        INSERT INTO media (id, version, owner_id, failure)
        VALUES (\(failure.mediaID), \(failure.subjectVersion), \(failure.ownerID), \(failure.reason))
        ON CONFLICT (id) DO UPDATE SET version = excluded.version, snapshot = NULL, failure = excluded.failure
        WHERE excluded.version > media.version
        RETURNING 1
        """
    }

    /// The messages that carry a file and their channels, in the order in which channels are locked.
    static func messages(with media: MediaID, most: Int) -> SQL {
        """
        SELECT id, channel_id
        FROM messages
        WHERE attachment_ids <> '{}' AND attachment_ids @> \([media]) AND deleted_at IS NULL
        ORDER BY channel_id, seq
        LIMIT \(most)
        """
    }
}
