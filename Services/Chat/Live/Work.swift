// SPDX-License-Identifier: Apache-2.0
// A transaction of chat's, and what it tells of what it does.

import Domain
import Events
import Outbox
import Postgres

/// When something happens, and the version of the row that it makes.
struct Stamp: Sendable {
    let moment: Timestamp
    /// Above every one given before.
    let version: Int64
}

/// A transaction with what its steps need. Stores are given it as they would be the transaction.
struct Work: HoldingTransaction {
    let dependencies: Dependencies
    let transaction: Transaction

    init(_ dependencies: Dependencies, _ transaction: Transaction) {
        self.dependencies = dependencies
        self.transaction = transaction
    }

    /// Ids that one message for open connections carries at most, so that it stays well below its largest size.
    static let idsInUpdate = 5000

    var site: Site { dependencies.site }
    var limits: Limits { dependencies.limits }
    func now() -> Timestamp { dependencies.now() }
    func nextNumber() -> Int64 { dependencies.nextNumber() }
    func stamp() -> Stamp { Stamp(moment: now(), version: nextNumber()) }

    /// Tells other services, if and only if the transaction commits.
    func record(_ event: some Event) throws { try transaction.record(event) }

    /// Tells open connections, if and only if the transaction commits, and in the order of the calls.
    ///
    /// - Parameters:
    ///   - room: all who are in this channel.
    ///   - joined: those who are in the channel from now on.
    func tell(
        _ news: News,
        in room: ChannelID? = nil,
        to accounts: [AccountID] = [],
        except: [AccountID] = [],
        joined: [ChatUpdate.Membership] = [],
        left: [ChatUpdate.Membership] = [],
        closed: [ChannelID] = [],
        version: Int64? = nil
    ) throws {
        let update = ChatUpdate(
            channelID: room,
            accountIDs: accounts,
            event: news.event,
            payload: news.payload(site),
            except: except,
            joined: joined,
            left: left,
            closed: closed
        )
        try record(ChatUpdated(update: update, subjectVersion: version ?? nextNumber()))
    }

    /// Tells a channel's open connections what became of a message.
    func tell(_ news: News, of message: MessageRow) throws {
        let update = ChatUpdate(
            channelID: message.channelID,
            event: news.event,
            payload: news.payload(site),
            seq: message.seq,
            change: message.change
        )
        try record(ChatUpdated(update: update, subjectVersion: message.change))
    }

    /// Tells everybody who sees a channel that it changed: its members, of a public one the whole playground.
    func tell(_ action: String, of id: ChannelID) async throws {
        guard let channel = try await ChannelStore.channel(id, in: self) else { return }
        try tell(.channel(action, ChannelView(channel, site: site)), in: try await audience(of: channel))
    }

    /// The channel whose members are all who see this one.
    func audience(of channel: ChannelRow) async throws -> ChannelID {
        guard channel.type == .public, let playground = channel.playgroundID else { return channel.id }
        return try await PlaygroundStore.everyone(in: playground, in: self) ?? channel.id
    }
}

extension Dependencies {
    /// Runs a transaction; commits when `body` returns, rolls back when it throws.
    func transaction<Value: Sendable>(
        deadline: Duration? = nil,
        _ body: @Sendable (Work) async throws -> Value
    ) async throws -> Value {
        try await database.transaction(deadline: deadline) { try await body(Work(self, $0)) }
    }
}

extension Array {
    /// The elements in parts of at most `size`; one empty part when there are none.
    func parts(of size: Int) -> [[Element]] {
        guard count > size else { return [self] }
        return stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
