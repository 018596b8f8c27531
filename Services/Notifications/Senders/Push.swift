import Foundation

/// One message for one device, ready to be sent: what `Senders/` are given and `Deliveries/` makes.
struct Push: Sendable, Equatable {
    /// Names the delivery. It is the same on every attempt, so that a provider or a device drops what it has had (`apns-id`, RFC 9562).
    var id: UUID
    var address: PushAddress
    var content: PushContent
    /// What is to replace an earlier message that was not seen yet: 64 bytes at most.
    var collapseKey: String?
    /// After it nobody needs the message any more.
    var expiresAt: Date
}

/// Where a device is reached.
enum PushAddress: Sendable, Equatable {
    /// `token` in hexadecimal; `topic` is the app's bundle id.
    case apple(token: String, topic: String, isSandbox: Bool)
    /// A registration token of Firebase Cloud Messaging.
    case firebase(token: String)
    /// A subscription of RFC 8030: the client's public key (P-256, uncompressed, 65 bytes) and its secret (16 bytes).
    /// `isStandard` is false for clients of the draft (`aesgcm`) that Mastodon's apps still use.
    case web(endpoint: String, publicKey: Data, secret: Data, isStandard: Bool)
}

/// What a device is told.
enum PushContent: Sendable, Equatable {
    /// Something that a person is shown.
    case alert(PushAlert)
    /// The new number alone: somebody read elsewhere.
    case badge(Int)
}

struct PushAlert: Sendable, Equatable {
    var title: String
    var body: String
    var badge: Int
    /// What belongs together on a device's screen: a conversation, a post.
    var thread: String?
    /// What a tap opens, and what an app needs to fetch the rest (`kind`, `id`, `url`, …): strings only, as FCM has them.
    var data: [String: String]
    /// Whether an extension of the app may change it before it is shown (`mutable-content`).
    var isMutable: Bool
    /// Whether it may wake a sleeping device (APNs priority 10, FCM HIGH, `Urgency: high`).
    var isUrgent: Bool
    /// The whole payload for browsers and Mastodon's apps, as JSON; nil where the address is not of the web.
    var webPayload: Data?
}

/// How an attempt ended.
enum PushOutcome: Sendable, Equatable {
    /// The provider took it; what it calls it, where it says so.
    case accepted(name: String?)
    /// Nobody is reached by this address any more; since when, where the provider says so.
    case deviceGone(reason: String, since: Date?)
    /// This message will never be taken (too large, malformed): it is set aside with the reason.
    case refused(reason: String)
    /// Not now; not before `after`, where the provider says so. `ofAll` where it asks for patience with everybody's, not with
    /// this device's alone.
    case later(reason: String, after: Duration?, ofAll: Bool = false)
    /// The operator's keys or names are wrong: nothing goes out by this sender until they change.
    case misconfigured(reason: String)
}

/// Takes messages to one provider.
protocol PushSender: Sendable {
    /// Never throws: whatever happens is an outcome. It ends by itself within 30 seconds.
    func send(_ push: Push) async -> PushOutcome
}
