// SPDX-License-Identifier: Apache-2.0
// What people are written.

import Domain
import Events

/// A letter to somebody's address, in their language.
enum Letter: Codable, Hashable, Sendable {
    /// With a code that proves that the address is theirs.
    case confirmation
    /// With a link that sets a new password, once.
    case passwordReset
    case passwordChanged(at: Timestamp)
    /// Somebody signed in from a device that had not been seen before.
    case newDevice(name: String, at: Timestamp)
    /// The account will be deleted then unless the person comes back.
    case leaving(deletion: Timestamp)
    /// Everybody has erased what they had of the account.
    case deleted
    /// - Parameters:
    ///   - decision: to which somebody may appeal by a link who cannot sign in. What makes it good is made when the letter goes, so that it is
    ///     kept nowhere.
    ///   - appeal: the same, as the release before kept it.
    case decision(
        action: DecisionAction,
        reason: String,
        until: Timestamp?,
        appealUntil: Timestamp?,
        decision: DecisionID? = nil,
        appeal: String? = nil
    )
    case exportReady(expires: Timestamp)
}

extension Letter {
    /// As the row has it.
    var kind: LetterKind {
        switch self {
        case .confirmation: .confirmation
        case .passwordReset: .passwordReset
        case .passwordChanged: .passwordChanged
        case .newDevice: .newDevice
        case .leaving: .leaving
        case .deleted: .deleted
        case .decision: .decision
        case .exportReady: .exportReady
        }
    }
}

enum LetterKind: String, CaseIterable, Sendable {
    case confirmation
    case passwordReset = "password_reset"
    case passwordChanged = "password_changed"
    case newDevice = "new_device"
    case leaving
    case deleted
    case decision
    case exportReady = "export_ready"

    /// How long it is tried to bring one.
    var patience: Duration {
        switch self {
        case .passwordReset: .seconds(3600)
        case .confirmation: .seconds(86_400)
        default: .seconds(3 * 86_400)
        }
    }

    /// How long a link in one is good; nil for those without.
    var linkLasts: Duration? {
        switch self {
        case .passwordReset: .seconds(3600)
        case .confirmation: .seconds(86_400)
        default: nil
        }
    }

    /// How many go to one address in `window`; what is more is not written. What others can have sent to somebody is little.
    var most: Int {
        switch self {
        case .confirmation, .passwordReset, .newDevice: 5
        default: 100
        }
    }

    static let window = Duration.seconds(3600)
}
