// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/shelf/records/:id/share: somebody posts what they read.

import Domain
import Events
import Postgres
import Web

/// Makes a post that shows the book of a record; nobody sees it who may not see the record. Without `status` it says the
/// record's one line, else the book's title.
enum ShareRecord {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let name = try request.recordName()
        let record = try await GetOwnRecord.require(name, of: account.id, dependencies)
        let draft = try draft(request.parameters(), of: record, limits: dependencies.limits)
        let shown: CreatePost.Card = { transaction in
            // The record may have been hidden meanwhile; from here on it waits.
            _ = try await ShelfStore.hold(account.id, in: transaction)
            let record = try await RecordStore.record(name, of: account.id, in: transaction).found()
            try require(draft.visibility, of: record)
            return card(of: record.book.data, by: account, dependencies)
        }
        return try await CreatePost.run(draft, by: account, card: shown, request, dependencies)
    }

    private static func draft(
        _ parameters: Parameters,
        of record: RecordRow,
        limits: Limits
    ) throws -> Post.Draft {
        var draft = try Post.Draft(
            parameters,
            limits: limits,
            visibility: record.content.visibility == .followers ? .private : nil,
            text: record.content.oneLine ?? record.book.data.title
        )
        try require(draft.visibility, of: record)
        draft.recordID = record.id
        return draft
    }

    /// - Parameter visibility: of the post; nil is the account's own setting, which may be any.
    private static func require(_ visibility: Visibility?, of record: RecordRow) throws {
        let isWithin =
            switch record.content.visibility {
            case .public: true
            case .followers: visibility == .private
            case .private: false
            }
        guard isWithin else {
            var problem = Problem.invalid("visibility", "inclusion")
            problem.detail = [
                .english: "A post cannot be seen by more people than the record it shows.",
                .korean: "게시물의 공개 범위는 독서 기록의 공개 범위보다 넓을 수 없습니다.",
                .japanese: "投稿の公開範囲を、読書記録の公開範囲より広くすることはできません。",
            ]
            throw problem
        }
    }

    /// What is known of a book, with a page on it or, where none is known, with its reader's.
    private static func card(
        of book: BookData,
        by account: Principal.Account,
        _ dependencies: Dependencies
    ) -> CardSnapshot {
        CardSnapshot(
            url: book.link ?? dependencies.site.profile(account.username),
            title: book.title,
            description: (book.authors + [book.publisher].compactMap { $0 }).joined(separator: " · "),
            authorName: book.authors.isEmpty ? nil : book.authors.joined(separator: ", "),
            providerName: book.publisher,
            language: book.language,
            coverURL: book.coverURL
        )
    }
}
