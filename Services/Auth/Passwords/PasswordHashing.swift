// SPDX-License-Identifier: Apache-2.0
// Argon2id on threads of its own.

import CArgon2
import Dispatch
import HTTPTypes
import Synchronization
import Web

/// Hashes and verifies passwords with three passes over 64 MiB (the second choice of RFC 9106, section 4) in one lane.
///
/// A hash takes some 70 ms of a processor on purpose, so it never runs where requests are answered, at most `threads`
/// run at a time, and when `queue` more wait the next is refused.
final class PasswordHashing: Sendable {
    /// Too many passwords are waiting.
    struct Overloaded: ProblemConvertible {
        var problem: Problem {
            var problem = Problem.unavailable(cause: "too many passwords are waiting to be hashed")
            problem.headers[.retryAfter] = "2"
            return problem
        }
    }

    struct Failure: Error, Sendable {
        let code: Int32
    }

    private enum Place { case starts, waits, refused }

    private struct Waiting {
        var running = 0
        var turns: [CheckedContinuation<Void, any Error>] = []
    }

    /// KiB.
    static let memory: UInt32 = 65_536
    private static let passes: UInt32 = 3

    private let threads: Int
    private let queue: Int
    private let memory: UInt32
    private let waiting = Mutex(Waiting())
    private let dispatch = DispatchQueue(label: "madang.auth.passwords", attributes: .concurrent)
    /// Verified in place of the hash of somebody who does not exist, so that both take the same time.
    private let decoy = Mutex("")

    /// - Parameter memory: of one hash, in KiB.
    init(threads: Int, queue: Int, memory: UInt32 = PasswordHashing.memory) async throws {
        self.threads = threads
        self.queue = queue
        self.memory = memory
        let hash = try PasswordHashing.encode(
            Dependencies.systemRandomBytes(32),
            salt: Dependencies.systemRandomBytes(16),
            memory: memory
        )
        decoy.withLock { $0 = hash }
    }

    /// The encoded hash (`$argon2id$…`), with its parameters and salt.
    ///
    /// - Parameter refuse: asked once more when the turn has come; what it throws spares the work.
    func hash(
        _ password: Password,
        salt: [UInt8],
        unless refuse: @Sendable () async throws -> Void = {}
    ) async throws -> String {
        let memory = memory
        return try await run(unless: refuse) {
            Result { try PasswordHashing.encode(password.bytes, salt: salt, memory: memory) }
        }.get()
    }

    /// Whether the password is the one of `hash`; nil for `hash` works as long and says no.
    func verify(_ password: Password?, against hash: String?) async throws -> Bool {
        let encoded = hash ?? decoy.withLock { $0 }
        let bytes = password?.bytes ?? []
        let matches = try await run { argon2id_verify(encoded, bytes, bytes.count) == ARGON2_OK.rawValue }
        return matches && hash != nil && password != nil
    }

    /// Whether a hash was made with other parameters than those of today.
    func isOutdated(_ hash: String) -> Bool {
        !hash.hasPrefix("$argon2id$v=19$m=\(memory),t=\(PasswordHashing.passes),p=1$")
    }

    private static func encode(_ password: [UInt8], salt: [UInt8], memory: UInt32) throws -> String {
        var encoded = [CChar](repeating: 0, count: 256)
        let capacity = encoded.count
        let code = argon2id_hash_encoded(
            passes,
            memory,
            1,
            password,
            password.count,
            salt,
            salt.count,
            32,
            &encoded,
            capacity
        )
        guard code == ARGON2_OK.rawValue else { throw Failure(code: code) }
        return String(decoding: encoded.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Waits for its turn, which ends with `work`.
    private func run<Value: Sendable>(
        unless refuse: @Sendable () async throws -> Void = {},
        _ work: @escaping @Sendable () -> Value
    ) async throws -> Value {
        try await takeTurn()
        defer { endTurn() }
        try await refuse()
        return await withCheckedContinuation { continuation in
            dispatch.async { continuation.resume(returning: work()) }
        }
    }

    private func takeTurn() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let place: Place = waiting.withLock { waiting in
                if waiting.running < threads {
                    waiting.running += 1
                    return .starts
                }
                guard waiting.turns.count < queue else { return .refused }
                waiting.turns.append(continuation)
                return .waits
            }
            switch place {
            case .starts: continuation.resume()
            case .waits: break
            case .refused: continuation.resume(throwing: Overloaded())
            }
        }
    }

    /// Hands the turn to whoever has waited longest.
    private func endTurn() {
        let next: CheckedContinuation<Void, any Error>? = waiting.withLock { waiting in
            guard !waiting.turns.isEmpty else {
                waiting.running -= 1
                return nil
            }
            return waiting.turns.removeFirst()
        }
        next?.resume()
    }
}
