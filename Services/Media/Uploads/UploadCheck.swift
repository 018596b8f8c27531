// SPDX-License-Identifier: Apache-2.0
// What can be seen of a file before anybody works on it.

import HTTPTypes
import MediaWork
import Web

enum UploadCheck {
    /// Throws what the client is told of a file that will never be ready, or is too large for what it is.
    static func require(_ path: String, length: Int, _ dependencies: Dependencies) async throws {
        let sizes = dependencies.limits.sizes
        guard let content = Content(try await dependencies.storage.head(of: path, Content.head)) else {
            throw MediaAnswer.problem("unsupported")
        }
        let most = content.mime.hasPrefix("image/") ? sizes.image : sizes.video
        guard length <= most else { throw Problem.contentTooLarge }
    }
}
