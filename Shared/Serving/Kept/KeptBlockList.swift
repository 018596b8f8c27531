// SPDX-License-Identifier: Apache-2.0
// The blocked words and domains in the memory of a process.

public import Postgres
import Synchronization

/// The list as it was a moment ago: built once a version, and asked after at most every two seconds.
public final class KeptBlockList: Sendable {
    private struct State {
        var list = BlockList()
        /// Nil until it was read.
        var versions: BlockListStore.Versions?
        var looked = ContinuousClock.now
        var built = ContinuousClock.now
    }

    /// What goes in a rebuild leaves no version behind: what is older than this is read anew whatever the versions are.
    private static let longest = Duration.seconds(60)

    private let patience: Duration
    private let state = Mutex(State())

    /// - Parameter patience: how long nobody asks whether there is a newer one.
    public init(patience: Duration = .seconds(2)) { self.patience = patience }

    public func list(in database: some Querying) async throws -> BlockList {
        let now = ContinuousClock.now
        let (kept, known, isOld) = state.withLock { state in
            guard let versions = state.versions else { return (BlockList?.none, BlockListStore.Versions?.none, true) }
            if now - state.looked < patience { return (state.list, versions, false) }
            state.looked = now
            return (nil, versions, now - state.built > KeptBlockList.longest)
        }
        if let kept { return kept }
        let versions = try await BlockListStore.versions(in: database)
        if versions == known, !isOld { return state.withLock(\.list) }
        let list = BlockList(
            terms: try await BlockListStore.terms(in: database),
            domains: try await BlockListStore.domains(in: database)
        )
        state.withLock { $0 = State(list: list, versions: versions, looked: now, built: now) }
        return list
    }
}
