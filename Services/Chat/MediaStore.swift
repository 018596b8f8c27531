// SPDX-License-Identifier: Apache-2.0
// The projection of files: which are ready to be shown, and who may attach them.

import Domain
import Events
import Postgres

enum MediaStore {
    /// Keeps what is said unless something newer is known.
    static func keep(_ media: MediaProcessed, in transaction: Transaction) throws {
        transaction.enqueue(
            """
            INSERT INTO media (id, version, owner_id, snapshot)
            VALUES (\(media.mediaID), \(media.subjectVersion), \(media.ownerID), \(try JSONB(snapshot: media)))
            ON CONFLICT (id) DO UPDATE SET version = excluded.version, snapshot = excluded.snapshot, failure = NULL
            WHERE excluded.version > media.version
            """
        )
    }

    static func keep(_ failure: MediaFailed, in transaction: Transaction) {
        transaction.enqueue(
            """
            INSERT INTO media (id, version, owner_id, failure)
            VALUES (\(failure.mediaID), \(failure.subjectVersion), \(failure.ownerID), \(failure.reason))
            ON CONFLICT (id) DO UPDATE SET version = excluded.version, snapshot = NULL, failure = excluded.failure
            WHERE excluded.version > media.version
            """
        )
    }
}
