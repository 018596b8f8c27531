// SPDX-License-Identifier: Apache-2.0
// The SQL that erases what search has of an account that was deleted.

import Domain
import Postgres
import Serving

/// Statements of `EraseAccount`, each of some hundred rows at most.
enum ErasedAccountStore {
    /// The account's own document, and those of what it made.
    static func documents(of account: AccountID, in transaction: some Transacting) async throws -> [DocumentKey] {
        try await transaction.query(
            """
            SELECT kind, id FROM documents WHERE kind = \(SearchKind.account.rawValue) AND id = \(account)
            UNION
            SELECT kind, id
            FROM (SELECT kind, id FROM documents WHERE author_id = \(account) AND author_id IS NOT NULL LIMIT 200) d
            """
        ).all(as: DocumentKey.init)
    }

    /// Takes how popular posts are from what people hear of.
    static func deletePopularity(of posts: [Int64], in transaction: some Transacting) {
        transaction.enqueue("DELETE FROM popular WHERE post_id = ANY (\(posts))")
    }

    /// Makes nobody of an account whom documents name.
    ///
    /// - Returns: how many.
    static func unname(_ account: AccountID, in transaction: some Transacting) async throws -> Int {
        try await transaction.query(
            """
            UPDATE documents
            SET people = array_remove(people, CAST(\(account) AS bigint))
            WHERE (kind, id) IN (
                SELECT kind, id FROM documents
                WHERE people @> ARRAY[CAST(\(account) AS bigint)] AND people <> '{}'
                LIMIT 200
            )
            """
        ).affected
    }

    /// Some of the records of reading of an account, which go.
    ///
    /// - Returns: each with the number of its book.
    static func takeRecords(
        of account: AccountID,
        in transaction: some Transacting
    ) async throws -> [(record: RecordID, book: Int64)] {
        try await transaction.query(
            """
            DELETE FROM shelved_books
            WHERE record_id IN (SELECT record_id FROM shelved_books WHERE account_id = \(account) LIMIT 200)
            RETURNING record_id, book_id
            """
        ).all { (try $0.next(), try $0.next()) }
    }

    /// What is an account's own, or about it.
    static let belongings = [
        AccountRows("uses", by: "post_id, kind, thing_id"),
        AccountRows("ties", by: "kind, account_id, target_id"),
        AccountRows("ties", as: "tiesOfOthers", by: "kind, account_id, target_id") {
            "target_id = \($0) AND target_id <> 0"
        },
        AccountRows("memberships", by: "account_id, place_id"),
        AccountRows("accounts", as: "account", by: "id", of: "id"),
    ]
}
