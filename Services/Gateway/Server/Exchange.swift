// SPDX-License-Identifier: Apache-2.0
// One request: what it is, where it goes, and what is held for it. How far it has come is `ExchangeState`.

import NIOCore
import NIOHTTP1
import SocketIO
import Surface

final class Exchange {
    let head: HTTPRequestHead
    let target: RequestTarget
    let framing: BodyFraming
    let started: Milliseconds
    let requestID: String
    /// Its line of the surface and that line's place; -1 without one.
    var route: PublicRoute?
    var routeIndex = -1
    var service: ServiceName?
    /// In whose words problems are told, if not in ours.
    var dialect: (any Dialect)?
    /// How often services were asked for it.
    var calls = 0
    var principal: KnownPrincipal?
    var budget: Budget?
    var body = KeptBody()
    /// What goes on once the whole request has come, or more of its body than was asked for.
    var whenRead: ((_ isWhole: Bool) -> Void)?

    var ticket: UpstreamTicket?
    var connection: UpstreamConnection?
    var costly: CostlyPlace?
    var engine: EngineExchange?
    /// The service's answer, while posts makes the profile of the account that it tells of.
    var held: HeldAnswer?
    /// Nil where no answer is stored.
    var storing: Storing?
    /// Whether the body may be a form with files, as far as is known.
    var mayBringFiles = false
    /// The form, while media takes its files.
    var form: FormOnItsWay?
    /// What takes the body's place once media has them.
    var rest: RestOfForm?
    /// The stored file that is shown instead of what the path names.
    var shownFile: RequestTarget?

    var status = 0
    var bytesOut = 0

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
    }

    var wantsNoBody: Bool { head.method == .HEAD }

    /// Octets that the body may have.
    func mostBody(_ limits: GatewayLimits) -> Int {
        if route?.takesUpload == true { return limits.upload }
        return mayBringFiles ? route?.form?.most(limits) ?? limits.body : limits.body
    }

    /// Whether doing it twice is no different from doing it once: also when the service keeps the request's key.
    var isIdempotent: Bool {
        switch head.method {
        case .GET, .HEAD, .PUT, .DELETE, .OPTIONS: true
        default: route?.isKeyed == true && head.headers.contains(name: "idempotency-key")
        }
    }
}

/// The part of a body that was not sent yet, and before it what was but may have to be sent again.
struct KeptBody {
    private var parts: [ByteBuffer] = []
    private var sentParts = 0

    var unsent: ArraySlice<ByteBuffer> { parts[sentParts...] }

    mutating func append(_ bytes: ByteBuffer) { parts.append(bytes) }

    /// Everything was sent; `keeping` it for another time.
    mutating func sent(keeping: Bool) {
        if keeping {
            sentParts = parts.count
        } else {
            parts = []
            sentParts = 0
        }
    }

    /// Other bytes take the place of all that came.
    mutating func replace(with bytes: ByteBuffer) {
        parts = [bytes]
        sentParts = 0
    }

    /// Everything is to be sent again.
    mutating func rewind() { sentParts = 0 }
}
