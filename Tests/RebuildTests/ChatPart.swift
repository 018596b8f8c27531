// SPDX-License-Identifier: Apache-2.0
// Chat in process, as an owner of what others keep and as one that keeps.

import Domain
import Foundation
import Logging
import Outbox
import Postgres
import Serving
import Support
import Web

@testable import ChatService

/// The service without a socket: its commands as people call them, and what it tells again.
struct ChatPart: Sendable {
    let database: Database
    let responder: Responder<Dependencies>
    let tellers: [Teller]
    let queues: [EventQueue]
    /// Where it hears of the members of projects.
    let projects: [EventQueue]

    static let migrations = ChatService.migrations

    init(_ database: Database, ids: IDGenerator) throws {
        let dependencies = Dependencies(
            database: database,
            ids: ids,
            now: Timestamp.now,
            site: Part.site
        )
        self.database = database
        responder = ChatService.service.responder(
            dependencies,
            internalSecret: "secret",
            deadline: .seconds(60),
            logger: Logger(label: "chat")
        )
        tellers = Tellers.all
        queues = ChatService.queues(dependencies).filter { $0.rebuild != nil }
        projects = ChatService.queues(dependencies).filter { $0.name == "chat.projects" }
    }
}
