// SPDX-License-Identifier: Apache-2.0
// Which list of posts somebody keeps.

import Postgres

/// A table of what somebody did with posts, a row each, paged by its id.
enum Marks: Sendable {
    case favourites, bookmarks

    var table: SQL {
        switch self {
        case .favourites: "favourites"
        case .bookmarks: "bookmarks"
        }
    }
}
