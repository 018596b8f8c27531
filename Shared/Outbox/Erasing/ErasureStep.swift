// SPDX-License-Identifier: Apache-2.0
// What a service has of an account, and how it goes.

public import Domain
import Events
public import Postgres

/// One kind of thing that a service has of an account.
public struct ErasureStep: Sendable {
    public let name: String
    private let erase: @Sendable (AccountID, Transaction) async throws -> Int

    /// - Parameter erase: takes some hundred rows away and returns how many things went; none once nothing is left. It may be killed at
    ///   any moment, and is done again for what comes late.
    public init(_ name: String, _ erase: @escaping @Sendable (AccountID, Transaction) async throws -> Int) {
        self.name = name
        self.erase = erase
    }

    /// The part that the service would hand over.
    static let exportTasks = ErasureStep("export tasks") { try await ExportTaskStore.erase(of: $0, in: $1) }

    public func run(_ account: AccountID, in transaction: Transaction) async throws -> Int {
        try await erase(account, transaction)
    }

    /// Does all of some steps, each in transactions of its own: for tests.
    ///
    /// - Returns: how many things went.
    @discardableResult
    public static func finish(_ steps: [ErasureStep], of account: AccountID, in database: Database) async throws -> Int
    {
        var erased = 0
        for step in steps {
            while true {
                let count = try await database.transaction { try await step.run(account, in: $0) }
                guard count > 0 else { break }
                erased += count
            }
        }
        return erased
    }
}

extension EventQueue {
    /// Where a service hears that an account was deleted.
    static func erasing(of service: String) -> EventQueue {
        EventQueue(
            "\(service).erasures",
            [
                Reaction(to: AccountDeleted.self) { envelope, transaction in
                    ErasingStore.note(envelope.data.accountID, in: transaction)
                }
            ]
        )
    }
}
