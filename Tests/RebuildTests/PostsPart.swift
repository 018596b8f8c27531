// SPDX-License-Identifier: Apache-2.0
// Posts in process, as the owner of what others keep.

import Domain
import Foundation
import Logging
import Outbox
import Postgres
import Serving
import Support
import Web

@testable import PostsService

/// The service without a socket: its commands as people call them, and what it tells again.
struct PostsPart: Sendable {
    let database: Database
    let responder: Responder<Dependencies>
    let tellers: [Teller]
    let queues: [EventQueue]
    /// Where it hears of the playgrounds of projects.
    let rooms: [EventQueue]

    static let migrations = PostsService.migrations

    init(_ database: Database, ids: IDGenerator) throws {
        let site = Part.site
        let dependencies = Dependencies(
            database: database,
            ids: ids,
            now: Timestamp.now,
            site: site,
            limits: Limits(),
            pages: try PostPages.pages(site: site)
        )
        self.database = database
        responder = PostsService.service.responder(
            dependencies,
            internalSecret: "secret",
            deadline: .seconds(60),
            logger: Logger(label: "posts")
        )
        tellers = Tellers.all(now: Timestamp.now)
        queues = PostsService.queues(dependencies).filter { $0.rebuild != nil }
        rooms = PostsService.queues(dependencies).filter { $0.name == "posts.projects" }
    }
}
