// SPDX-License-Identifier: Apache-2.0
// The services behind the gateway.

/// A service behind the gateway: a process, a schema, a user of the broker.
package enum ServiceName: String, CaseIterable, Sendable {
    case auth, posts, chat, notifications

    /// Where it listens when nobody says otherwise.
    package var port: Int {
        switch self {
        case .auth: 3001
        case .posts: 3002
        case .notifications: 3003
        case .chat: 3005
        }
    }

    /// Its place among all.
    package var index: Int {
        switch self {
        case .auth: 0
        case .posts: 1
        case .chat: 2
        case .notifications: 3
        }
    }
}
