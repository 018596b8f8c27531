// SPDX-License-Identifier: Apache-2.0
// One request and its answer.

import NIOCore
import NIOHTTP1
import SocketIO
import Surface

final class Exchange {
    /// Bodies up to this length are kept until the answer begins, so that they can be sent again.
    static let replayLimit = 64 * 1024

    let head: HTTPRequestHead
    let target: RequestTarget
    let framing: BodyFraming
    let started: Milliseconds
    let requestID: String
    var route = -1
    var rate = RateClass.free
    var service: ServiceName?
    var isPage = false
    /// The methods that the path has, when it has not this one.
    var allowed: [HTTPMethod] = []
    /// Whether the service keeps the key of the request, so that a repetition is no second effect.
    var isKeyed = false
    var isCostly = false
    /// Whether problems are told in the words of Buddy Buddy.
    var isBuddyBuddy = false
    var keepsAlive: Bool

    var requestIsComplete = false
    var bodyBytes = 0
    /// Body that no service has got yet.
    var unsent: [ByteBuffer] = []
    var unsentBytes = 0
    /// Body that was sent, while it may have to be sent again.
    var replay: [ByteBuffer]? = []
    var principal: KnownPrincipal?
    var budget: Budget?
    var ticket: UpstreamTicket?
    var connection: UpstreamConnection?
    var isRetried = false
    /// Whether it is known who asks, and that there is a budget for it.
    var isAccepted = false
    var costly: CostlyPlace?
    var costlySince: Milliseconds?
    /// Set while a Socket.IO session has the request.
    var engine: EngineExchange?
    /// What to do once the request has come entirely.
    var atEnd: (() -> Void)?
    /// What to do once the body has more octets than this.
    var atTooLong: (limit: Int, then: () -> Void)?

    var answerStarted = false
    var answerIsComplete = false
    var answerIsChunked = false
    var status = 0
    var bytesOut = 0
    /// Time for which the client could have sent its body but we did not let it.
    var heldSince: Milliseconds?
    var heldFor: Milliseconds = 0

    init(
        head: HTTPRequestHead,
        target: RequestTarget,
        framing: BodyFraming,
        started: Milliseconds,
        requestID: String
    ) {
        self.head = head
        self.target = target
        self.framing = framing
        self.started = started
        self.requestID = requestID
        keepsAlive = head.isKeepAlive
    }

    var wantsNoBody: Bool { head.method == .HEAD }

    var remainingBody: Int {
        if requestIsComplete { return 0 }
        switch framing {
        case .none: return 0
        case .length(let length): return max(0, length - bodyBytes)
        case .chunked: return .max
        }
    }

    /// Whether doing it twice is no different from doing it once.
    var isIdempotent: Bool {
        switch head.method {
        case .GET, .HEAD, .PUT, .DELETE, .OPTIONS: true
        default: isKeyed && head.headers.contains(name: "idempotency-key")
        }
    }

    func kept(_ bytes: ByteBuffer) {
        guard replay != nil else { return }
        if bodyBytes > Exchange.replayLimit { replay = nil } else { replay?.append(bytes) }
    }
}
