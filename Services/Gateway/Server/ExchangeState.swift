// SPDX-License-Identifier: Apache-2.0
// How far one request and its answer have come.

import NIOHTTP1

/// One request and its answer, as a value without bytes, services or a channel.
struct ExchangeState: Equatable {
    /// Bodies up to this length are kept until the answer begins, so that they can be sent again.
    static let replayLimit = 64 * 1024

    enum Stage: Equatable {
        /// It is not known yet who asks, or whether there is a budget for it.
        case judged
        /// It goes to whoever answers it.
        case accepted
        /// Goes on with the whole body, or with more than so many octets of it.
        case collecting(most: Int)
        /// Waits until its account has less under way.
        case queued(since: Milliseconds)
        /// A service gets what comes.
        case sending
        /// A Socket.IO session gets what comes.
        case session
    }

    enum Answer: Equatable {
        case awaited
        case started(isChunked: Bool)
        case complete
    }

    let framing: BodyFraming
    let started: Milliseconds
    let wantsNoBody: Bool
    let knowsChunks: Bool
    var keepsAlive: Bool
    var stage = Stage.judged
    var answer = Answer.awaited
    /// Whether the whole request has come.
    var isRead = false
    var bodyBytes = 0
    /// Octets of the body that nobody has got yet.
    var unsentBytes = 0
    var isRetried = false
    /// Whether its body is a file, which may come as slowly as a phone far from the next mast sends it.
    var isUpload = false
    /// Since when, and for how long before, the client could have sent its body but we did not let it.
    var heldSince: Milliseconds?
    var heldFor: Milliseconds = 0

    init(_ head: HTTPRequestHead, framing: BodyFraming, now: Milliseconds) {
        self.framing = framing
        started = now
        wantsNoBody = head.method == .HEAD
        knowsChunks = head.version.minor >= 1
        keepsAlive = head.isKeepAlive && !head.headers.contains(name: "upgrade")
    }

    /// Whether what was sent to a service is still kept.
    var mayReplay: Bool { answer == .awaited && bodyBytes <= ExchangeState.replayLimit }

    private var remainingBody: Int {
        if isRead { return 0 }
        switch framing {
        case .none: return 0
        case .length(let length): return max(0, length - bodyBytes)
        case .chunked: return .max
        }
    }

    /// Whether more of the request can be taken; or, once it is whole, the start of the next one, which waits for its turn: to
    /// hold that back takes two calls of the system a request.
    func mayRead(unaccepted: Int, upstreamIsWritable: Bool) -> Bool {
        if isRead { return keepsAlive }
        if answer == .complete { return true }
        switch stage {
        case .sending: return upstreamIsWritable
        case .session: return true
        case .judged: return unsentBytes < unaccepted
        case .accepted, .collecting, .queued: return unsentBytes < ExchangeState.replayLimit
        }
    }

    mutating func bodyCame(_ count: Int, most: Int) -> ConnectionState.BodyAction {
        bodyBytes += count
        if answer == .complete { return bodyBytes > most ? .linger : .drop }
        guard bodyBytes <= most else { return .refuse }
        switch stage {
        case .session: return .giveSession
        case .sending: return .send
        case .judged, .accepted, .queued:
            unsentBytes += count
            return .keep
        case .collecting(let most):
            unsentBytes += count
            guard bodyBytes > most else { return .keep }
            stage = .accepted
            return .goOn
        }
    }

    mutating func answerStarts(_ length: AnswerLength, isStopping: Bool) -> AnswerFraming {
        if remainingBody > ExchangeState.replayLimit || isStopping { keepsAlive = false }
        var field = AnswerFraming.Field.none
        var isChunked = false
        switch length {
        case .empty: break
        case .known(let count): field = .length(count)
        case .untilClose: keepsAlive = false
        case .unknown:
            if knowsChunks {
                field = .chunked
                isChunked = !wantsNoBody
            } else {
                keepsAlive = false
            }
        }
        answer = .started(isChunked: isChunked)
        return AnswerFraming(field: field, keepsAlive: keepsAlive, namesKeptConnection: keepsAlive && !knowsChunks)
    }

    /// Whether the client sends its body too slowly, for which only the time counts in which it was let.
    func isTooSlow(now: Milliseconds, _ limits: GatewayLimits) -> Bool {
        guard !isRead, heldSince == nil else { return false }
        let elapsed = now - started - heldFor
        let rate = stage != .sending ? limits.bodyRate : isUpload ? limits.fileRate : limits.uploadRate
        return elapsed > limits.bodyGrace && Milliseconds(bodyBytes) < elapsed * Milliseconds(rate) / 1000
    }
}

/// How long an answer's body is.
enum AnswerLength: Equatable {
    /// No body by definition, and no length.
    case empty
    case known(Int)
    /// Told by chunks, or to an old client by the connection's end.
    case unknown
    /// Told by the connection's end.
    case untilClose
}

/// What the head of an answer says of the body's end and of the connection's.
struct AnswerFraming: Equatable {
    enum Field: Equatable {
        case none, chunked
        case length(Int)
    }

    var field: Field
    var keepsAlive: Bool
    /// Clients of HTTP/1.0 must be told.
    var namesKeptConnection = false
}
