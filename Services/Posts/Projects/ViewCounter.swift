// SPDX-License-Identifier: Apache-2.0
// How often projects are looked at.

import Domain
import Logging
import ServiceKit
import ServiceLifecycle
import Synchronization

/// Counts views until they are written down, some seconds later; what a process has counted goes with it when it is killed.
///
/// Who looks again within half an hour, at this process, is not counted again. Nobody can tell those apart who are not signed
/// in: they are not counted.
final class ViewCounter: Sendable {
    private struct View: Hashable {
        let project: ProjectID
        let viewer: AccountID
    }

    private struct State {
        var counts: [ProjectID: Int64] = [:]
        /// Who looked since `turned`, and in the time before.
        var recent: Set<View> = []
        var former: Set<View> = []
        var turned = Timestamp(milliseconds: 0)
    }

    private static let memory = Duration.seconds(1800)
    private let capacity: Int
    private let state = Mutex(State())

    /// - Parameter capacity: views that are remembered, twice; when there are more, the older ones are forgotten.
    init(capacity: Int = 100_000) { self.capacity = capacity }

    func note(_ project: ProjectID, by viewer: AccountID, at now: Timestamp) {
        let view = View(project: project, viewer: viewer)
        state.withLock { state in
            if now - state.turned >= ViewCounter.memory || state.recent.count >= capacity {
                // Those of long ago are forgotten at once.
                let isLong = now - state.turned >= ViewCounter.memory + ViewCounter.memory
                state.former = isLong ? [] : state.recent
                state.recent = []
                state.turned = now
            }
            guard !state.former.contains(view), state.recent.insert(view).inserted else { return }
            state.counts[project, default: 0] += 1
        }
    }

    /// What has been counted and is to be written down now, in the order of the projects.
    func take() -> [(project: ProjectID, count: Int64)] {
        let counts = state.withLock { state in
            defer { state.counts = [:] }
            return state.counts
        }
        return counts.sorted { $0.key < $1.key }.map { (project: $0.key, count: $0.value) }
    }

    /// Takes back what could not be written down.
    func giveBack(_ views: [(project: ProjectID, count: Int64)]) {
        state.withLock { state in for view in views { state.counts[view.project, default: 0] += view.count } }
    }
}

/// Writes down the views of projects every five seconds, and when the process stops.
struct ViewWorker: Service {
    let dependencies: Dependencies
    let logger: Logger

    private static let pause = Duration.seconds(5)
    /// Projects in one statement.
    private static let most = 1000

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await repeatedly(every: ViewWorker.pause, orSaying: "views of projects wait", to: logger) {
                try await ViewWorker.write(dependencies)
            }
        }
        // The database stops after this.
        try? await ViewWorker.write(dependencies)
    }

    /// Writes down what has been counted.
    static func write(_ dependencies: Dependencies) async throws {
        let views = dependencies.views.take()
        for start in stride(from: 0, to: views.count, by: most) {
            do {
                let part = Array(views.dropFirst(start).prefix(most))
                try await ProjectStore.addViews(part, in: dependencies.database)
            } catch {
                dependencies.views.giveBack(Array(views.dropFirst(start)))
                throw error
            }
        }
    }
}
