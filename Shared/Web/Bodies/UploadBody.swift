// SPDX-License-Identifier: Apache-2.0
// A body that a command reads while it comes.

import HTTPTypes
import HummingbirdCore
import NIOCore
import Synchronization

/// A body that a command reads while it comes, so that memory does not grow with it.
public struct UploadBody: Sendable {
    enum Stage {
        case untouched, begun, whole
    }

    private final class Progress: Sendable { let stage = Mutex(Stage.untouched) }

    /// Bytes a second that a sender must reach after `grace`; the gateway asks for more.
    private static let rate = 4 * 1024
    private static let grace = Duration.seconds(20)
    /// What is read without being kept, so that a sender who is refused in the middle reads the answer.
    private static let discarded = 8 << 20
    private static let discarding = Duration.seconds(2)

    /// Bytes, as the sender says; nil when it says nothing.
    public let length: Int?
    private let body: RequestBody
    private let progress = Progress()

    init(_ body: RequestBody, length: Int?) {
        self.body = body
        self.length = length
    }

    /// A body that is there already.
    public init(_ bytes: [UInt8], length: Int? = nil) {
        self.init(RequestBody(buffer: ByteBuffer(bytes: bytes)), length: length ?? bytes.count)
    }

    var stage: Stage { progress.stage.withLock { $0 } }

    /// Hands the body to `take`, part by part, in its order. It can be read once.
    ///
    /// What `take` throws ends the reading. Throws `UploadCut` when the sender left before the end, as far as its length tells.
    public func read(_ take: ([UInt8]) async throws -> Void) async throws {
        progress.stage.withLock { $0 = .begun }
        let start = ContinuousClock.now
        var count = 0
        var refusal: (error: any Error, at: ContinuousClock.Instant, count: Int)?
        for try await part in body {
            count += part.readableBytes
            if let refusal {
                let isEnough = count - refusal.count > UploadBody.discarded
                if isEnough || ContinuousClock.now - refusal.at > UploadBody.discarding { throw refusal.error }
                continue
            }
            do {
                try await take(Array(part.readableBytesView))
                try UploadBody.requirePace(count, since: start)
            } catch {
                refusal = (error, .now, count)
            }
        }
        guard count >= length ?? 0 else { throw refusal?.error ?? UploadCut() }
        progress.stage.withLock { $0 = .whole }
        if let refusal { throw refusal.error }
    }

    private static func requirePace(_ count: Int, since start: ContinuousClock.Instant) throws {
        let elapsed = ContinuousClock.now - start
        guard elapsed > grace, Int64(count) < elapsed.components.seconds * Int64(rate) else { return }
        throw Problem.requestTimeout
    }
}

/// The sender of a body left before its end.
public struct UploadCut: ProblemConvertible {
    public var problem: Problem { .badRequest("body") }
}
