// SPDX-License-Identifier: Apache-2.0
// The projections of projects and of applications that notifications show.

import Domain
import Events
import Postgres
import Serving

enum ProjectStore {
    /// Keeps the snapshot unless a newer one, or the deletion, is known. The old one is touched all the same, so that what an
    /// entry shows is not forgotten before the entry.
    static func keep(_ project: ProjectBrief, at now: Timestamp, in transaction: some Transacting) throws {
        transaction.enqueue(
            """
            INSERT INTO projects (id, version, snapshot, touched_at)
            VALUES (\(project.id), \(project.version), \(try JSONB(snapshot: project)), \(now))
            ON CONFLICT (id) DO UPDATE
            SET version = greatest(projects.version, excluded.version),
                snapshot = CASE
                    WHEN excluded.version > projects.version THEN excluded.snapshot
                    ELSE projects.snapshot
                END,
                touched_at = excluded.touched_at
            WHERE projects.snapshot IS NOT NULL
                AND (
                    excluded.version > projects.version
                    OR projects.touched_at < excluded.touched_at - interval '1 day'
                )
            """
        )
    }

    /// Forgets the project's content for ever, so that what arrives late is known to be late.
    static func bury(_ id: ProjectID, version: Int64, at moment: Timestamp, in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO projects (id, version, touched_at) VALUES (\(id), \(version), \(moment))
            ON CONFLICT (id) DO UPDATE
            SET version = greatest(projects.version, excluded.version), snapshot = NULL,
                touched_at = greatest(projects.touched_at, excluded.touched_at)
            """
        )
    }

    /// Keeps an application as it is now, unless a newer word on it is known.
    static func keep(_ application: ApplicationSnapshot, at now: Timestamp, in transaction: some Transacting) throws {
        transaction.enqueue(
            """
            INSERT INTO applications (id, version, snapshot, touched_at)
            VALUES (\(application.id), \(application.version), \(try JSONB(snapshot: application)), \(now))
            ON CONFLICT (id) DO UPDATE
            SET version = excluded.version, snapshot = excluded.snapshot, touched_at = excluded.touched_at
            WHERE excluded.version > applications.version
            """
        )
    }
}
