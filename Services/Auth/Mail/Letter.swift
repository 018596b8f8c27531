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
    case deleted
    case decision(action: DecisionAction, reason: String, until: Timestamp?, appealUntil: Timestamp?)
    case exportReady(expires: Timestamp)
}
