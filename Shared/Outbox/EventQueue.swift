// SPDX-License-Identifier: Apache-2.0
// A queue and what its events lead to.

package import Postgres

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One queue with its reactions: claims each event in the inbox and applies it, many deliveries to a transaction.
package struct EventQueue: Sendable {
    /// `<service>.<consumer>`, as in the broker's definitions.
    package let name: String
    package let reactions: [Reaction]
    let prefetch: Int
    private let reactionsByType: [String: Reaction]

    package init(_ name: String, prefetch: Int = 64, _ reactions: [Reaction]) {
        self.name = name
        self.prefetch = prefetch
        self.reactions = reactions
        reactionsByType = Dictionary(reactions.map { ($0.type, $0) }) { first, _ in first }
    }

    /// Applies an envelope as if it had been delivered: for tests of consumers.
    ///
    /// - Returns: whether it was new.
    package func apply(_ envelope: [UInt8], in database: Database) async throws -> Bool {
        let arrival = try arrival(of: envelope, routingKey: "")
        return try await Inbox(consumer: name, database: database).apply([arrival]).contains(arrival.id)
    }

    /// Decodes a message. Its routing key names its type, except when it came from the dead letters.
    func arrival(of body: [UInt8], routingKey: String) throws -> Arrival {
        if let reaction = reactionsByType[routingKey] { return try reaction.arrival(of: body) }
        struct Head: Decodable { let type: String }
        guard let head = try? JSONDecoder().decode(Head.self, from: Data(body)) else {
            throw Unacceptable("undecodable: no envelope")
        }
        guard let reaction = reactionsByType[head.type] else {
            throw Unacceptable("nobody here reacts to \(head.type)")
        }
        return try reaction.arrival(of: body)
    }
}
