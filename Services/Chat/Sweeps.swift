// SPDX-License-Identifier: Apache-2.0
// What chat forgets.

import Outbox
import Postgres

enum Sweeps {
    static func all() -> [Sweep] { [messagesOfDeletedChannels, deletedChannels] }

    /// A deleted channel may hold a million messages: it is taken from everybody in its transaction, and emptied here.
    static let messagesOfDeletedChannels = Sweep("messages", every: .seconds(10)) { database in
        try await database.query(ChannelStore.forgetMessages()).affected
    }

    /// Those that are empty.
    static let deletedChannels = Sweep("channels", every: .seconds(10)) { database in
        try await database.query(ChannelStore.forgetChannels()).affected
    }
}
