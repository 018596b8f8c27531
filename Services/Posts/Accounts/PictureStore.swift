// SPDX-License-Identifier: Apache-2.0
// The SQL on the pictures of profiles.

import Domain
import Events
import Postgres
import Serving

/// Reads and changes which pictures profiles show.
enum PictureStore {
    /// Holds an account's row: what is awaited and what becomes ready are seen one after the other.
    static func hold(_ account: AccountID, in transaction: some Transacting) {
        transaction.enqueue("SELECT 1 FROM accounts WHERE id = \(account) FOR NO KEY UPDATE")
    }

    /// Shows a picture that was awaited.
    ///
    /// - Returns: the account; nil when nobody awaits the file there.
    static func show(
        _ snapshot: PictureSnapshot,
        as picture: ProfilePicture,
        of account: AccountID,
        in transaction: some Transacting
    ) async throws -> AccountSnapshot? {
        try await transaction.query(
            """
            UPDATE accounts a
            SET \(picture.awaited) = NULL, version = version + 1,
                extras = coalesce(extras, '{}')
                    || jsonb_build_object(\(picture.key), \(try JSONB(snapshot: snapshot)))
            WHERE id = \(account) AND \(picture.awaited) = \(snapshot.id)
            RETURNING \(AccountSnapshot.columns)
            """
        ).one(AccountSnapshot.init(columns:))
    }

    /// Takes a file off a profile that shows or awaits it.
    ///
    /// - Returns: the account; nil when the profile has nothing to do with the file.
    static func withdraw(
        _ file: MediaID,
        as picture: ProfilePicture,
        of account: AccountID,
        in transaction: some Transacting
    ) async throws -> AccountSnapshot? {
        let isShown: SQL = "coalesce(extras -> \(picture.key) ->> 'id' = \(file.description), false)"
        return try await transaction.query(
            """
            UPDATE accounts a
            SET \(picture.awaited) = nullif(\(picture.awaited), \(file)), version = version + 1,
                extras = CASE WHEN \(isShown) THEN extras - \(picture.keys) ELSE extras END
            WHERE id = \(account) AND (\(picture.awaited) = \(file) OR \(isShown))
            RETURNING \(AccountSnapshot.columns)
            """
        ).one(AccountSnapshot.init(columns:))
    }

    /// Takes a picture off its owner's profile, and one that is awaited there.
    ///
    /// - Returns: nil when there was none.
    static func remove(
        _ picture: ProfilePicture,
        of account: AccountID,
        in transaction: some Transacting
    ) async throws -> Credentials? {
        try await transaction.query(
            """
            UPDATE accounts a
            SET \(picture.awaited) = NULL, extras = extras - \(picture.keys), version = version + 1
            WHERE id = \(account)
                AND (\(picture.awaited) IS NOT NULL OR extras -> \(picture.key) IS NOT NULL)
            RETURNING \(Credentials.columns)
            """
        ).one(Credentials.init(columns:))
    }
}

extension ProfilePicture {
    /// Its place in `extras`.
    var key: SQL {
        switch self {
        case .avatar: "'avatar'"
        case .header: "'header'"
        }
    }

    /// What goes with it.
    fileprivate var keys: SQL {
        switch self {
        case .avatar: "'{avatar,avatar_description}'::text[]"
        case .header: "'{header,header_description}'::text[]"
        }
    }

    /// The column of the upload that is not ready yet.
    var awaited: SQL {
        switch self {
        case .avatar: "awaited_avatar_id"
        case .header: "awaited_header_id"
        }
    }
}
