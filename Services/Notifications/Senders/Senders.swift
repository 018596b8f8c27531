// SPDX-License-Identifier: Apache-2.0
// Those who take messages to devices.

import Domain
import Outbound
import ServiceKit

/// One for each provider that the operator has a key of.
struct Senders: Sendable {
    var apple: (any PushSender)?
    var firebase: (any PushSender)?
    var web: (any PushSender)?
    /// With what browsers subscribe, in Base64 for URLs; nil where `web` is.
    var serverKey: String?

    /// Nobody.
    init() {}

    init(_ settings: SenderSettings, now: @escaping @Sendable () -> Timestamp) {
        // One client for both: a connection is to one host, whoever asked for it.
        let named = OutboundClient(keepsConnections: true, certificates: settings.certificates)
        let strangers = OutboundClient(keepsConnections: false, certificates: settings.certificates)
        apple = settings.apple.map { AppleSender($0, ask: { try await named.send($0) }, now: now) }
        if let account = settings.firebase, let server = settings.firebaseServer {
            firebase = FirebaseSender(account, server: server, ask: { try await named.send($0) }, now: now)
        }
        web = settings.identity.map {
            WebSender($0, guard: settings.guard, ask: { try await strangers.send($0) }, now: now)
        }
        serverKey = settings.identity?.publicKey
    }

    /// Those whose provider the operator has a key of.
    var byPlatform: [Platform: any PushSender] {
        let all: [(Platform, (any PushSender)?)] = [(.apple, apple), (.firebase, firebase), (.web, web)]
        return all.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }

    /// Tells which there are: `deploy/dev doctor` reads it.
    func measure(_ metrics: Metrics) {
        for (name, sender) in [("apple", apple), ("firebase", firebase), ("web", web)] {
            let isThere = sender != nil
            metrics.gauge(
                "madang_push_senders",
                help: "Whether messages for devices go out by a provider, which a key of it turns on",
                labels: [("platform", name)]
            ) { isThere ? 1 : 0 }
        }
    }
}
