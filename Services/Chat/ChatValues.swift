// SPDX-License-Identifier: Apache-2.0
// The words of chat as columns.

import Events
public import Postgres
public import Serving

/// Which messages of a channel notify a member.
enum NotifyLevel: String, Sendable, CaseIterable {
    case all, mentions, none
}

extension AccountSnapshot: ColumnJSON {}
extension NotifyLevel: ColumnWord {}
extension ChatRole: ColumnWord {}
extension ChannelType: ColumnWord {}
