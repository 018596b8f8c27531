// SPDX-License-Identifier: Apache-2.0
// How much somebody may keep.

import Domain
import HTTPTypes
import Web

/// Several uploads that begin at once may each find room: what is too much is as many files as come at a time.
enum Quota {
    /// Throws unless there is room for some more bytes.
    static func require(_ bytes: Int64, of account: AccountID, _ dependencies: Dependencies) async throws {
        let limits = dependencies.limits
        let usage = try await UploadStore.usage(of: account, in: dependencies.database)
        let most = account == .nobody ? limits.unclaimed : limits.pending
        guard usage.pending < most else { throw Problem.tooMany(retryAfter: .seconds(10)) }
        guard limits.quota == 0 || bytes <= Int64(limits.quota) - min(usage.bytes, Int64(limits.quota)) else {
            throw full
        }
    }

    private static let full = Problem.own(
        .unprocessableContent,
        "quota",
        english: "There is no room for more files: delete posts or messages with files first",
        korean: "더 이상 파일을 저장할 공간이 없습니다. 파일이 있는 글이나 메시지를 먼저 삭제하세요",
        japanese: "これ以上ファイルを保存できません。ファイルのある投稿やメッセージを先に削除してください"
    )
}
