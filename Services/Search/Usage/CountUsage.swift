// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/events: what an app tells of how it is used.

import Domain
import HTTPTypes
import Web

enum CountUsage {
    /// Answers 202 before it is written, and 403 where the operator does not count: then an app need not tell again.
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        guard let usage = dependencies.usage else { throw isOff }
        usage.note(try UsageReport(request.parameters()), at: dependencies.now())
        var answer = Answer.empty
        answer.status = .accepted
        return answer
    }

    private static let isOff = Problem.own(
        .forbidden,
        "usage-off",
        english: "This server does not count how apps are used",
        korean: "이 서버는 앱 사용 통계를 수집하지 않습니다",
        japanese: "このサーバーはアプリの利用状況を集計していません"
    )
}
