// SPDX-License-Identifier: Apache-2.0
// OPTIONS /api/v1/media/resumable: what of the tus protocol is spoken here.

import HTTPTypes
import Web

enum DescribeResumable {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        Answer(
            status: .noContent,
            headers: [
                .tusResumable: Tus.version, .tusVersion: Tus.version, .tusExtension: Tus.extensions,
                .tusMaxSize: String(dependencies.limits.sizes.largest), .tusChecksums: Tus.algorithms,
            ]
        )
    }
}
