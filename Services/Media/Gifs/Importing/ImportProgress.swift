// SPDX-License-Identifier: Apache-2.0
// How far an import is.

import Foundation
import ServiceKit
import Synchronization

/// A bar on a terminal, and a line every few seconds elsewhere; a line for each file that could not be taken.
final class ImportProgress: Sendable {
    private struct State {
        var imported = 0
        var known = 0
        var failed = 0
        var shown = ContinuousClock.now
    }

    private static let width = 24

    private let total: Int
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let state = Mutex(State())

    init(total: Int) { self.total = total }

    func note(_ file: String, _ outcome: ImportGifs.Outcome) {
        state.withLock { state in
            switch outcome {
            case .imported: state.imported += 1
            case .known: state.known += 1
            case .failed(let reason):
                state.failed += 1
                FileHandle.standardError.write(Data("\(isTerminal ? "\r\u{1B}[K" : "")\(file): \(reason)\n".utf8))
            }
            let done = state.imported + state.known + state.failed
            guard done == total || ContinuousClock.now - state.shown > .milliseconds(isTerminal ? 100 : 5000) else {
                return
            }
            state.shown = .now
            let filled = ImportProgress.width * done / max(1, total)
            let bar =
                String(repeating: "#", count: filled) + String(repeating: " ", count: ImportProgress.width - filled)
            let text = "\(done) of \(total)" + (state.failed > 0 ? ", \(state.failed) not taken" : "")
            FileHandle.standardError.write(Data((isTerminal ? "\r[\(bar)] \(text)\u{1B}[K" : "\(text)\n").utf8))
        }
    }

    /// Says what came of all.
    ///
    /// - Returns: how many could not be taken.
    func end() -> Int {
        state.withLock { state in
            if isTerminal { FileHandle.standardError.write(Data("\n".utf8)) }
            say("imported                    \(state.imported)")
            say("there already               \(state.known)")
            say("not taken                   \(state.failed)")
            return state.failed
        }
    }
}
