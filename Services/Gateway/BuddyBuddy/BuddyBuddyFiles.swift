// SPDX-License-Identifier: Apache-2.0
// Pictures as Buddy Buddy fetches them: by the paths that it was told, with whatever token it has.

import GatewayService
import NIOHTTP1
import Surface

enum BuddyBuddyFiles {
    /// The path of a file of a message, as the app is told it: without a link's end, as the app keeps it for ever.
    static func path(of file: String, in message: String) -> String { "/media/messages/\(message)/\(file)" }

    /// A file of a message, for whoever may read the message now.
    static func ofMessage(_ request: WorkRequest) async throws -> WorkAnswer {
        let (id, file) = (try request.id(0), try request.id(1))
        let message: MessageBody = try await request.read(ServiceCall(.GET, .chat, "/api/v1/messages/\(id)"))
        guard let url = message.attachments?.first(where: { $0.id == file })?.url else {
            throw BuddyBuddyFailure.notFound
        }
        return WorkAnswer(file: BuddyBuddyPath.of(url))
    }

    /// A profile's or a workspace's picture, by the link that everybody may follow.
    static func ofEverybody(_ request: WorkRequest) async throws -> WorkAnswer {
        let path = request.names.map { name in "/" + name.filter { $0.isASCII && $0 != "/" && $0 != "?" } }
        return WorkAnswer(file: "/media/o" + path.joined())
    }
}
