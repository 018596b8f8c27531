// SPDX-License-Identifier: Apache-2.0
// How much a shelf may hold.

/// Texts are bounded in scalars, each of at most four bytes.
struct LibraryLimits: Sendable {
    /// Records of a shelf.
    var records = 20_000
    /// Records of a book that are told anew when it changes; who reads it oftener is told of the newest.
    var tellings = 100
    /// Goals of a shelf.
    var goals = 1000
    /// What the catalogue tells of a book fits: an app may hand it on as it came.
    var title = 500
    /// People of one kind, and each of their names.
    var names = 30
    var name = 200
    var publisher = 200
    var bookDescription = 5000
    /// Bytes of an address.
    var address = 2048
    var pages = 100_000
    var oneLine = 200
    /// An event carries it, in which it must fit beside the book and the account.
    var review = 6000
    var quotes = 50
    var quote = 1000
    /// Days of one record on which its progress is known.
    var days = 1000
    /// Texts of a record that lost to later ones; the oldest are forgotten.
    var earlierTexts = 20
    /// Words that are looked for in a shelf, and the scalars of all of them.
    var words = 5
    var query = 100
    /// Writes that come at once.
    var writes = 100
    /// Books, records, goals and deletions that are told at once.
    var changes = 100
    /// Deletions of a shelf that are remembered.
    var tombstones = 5000
    /// Authors and publishers that statistics name.
    var shares = 20
    /// Bytes of one part of an export, give or take a record, and the records that are read at once for it.
    var exportPart = 4 << 20
    var exportStep = 500
    /// Rows of an import.
    var rows = 5000
    /// Rows of an import that are written at once.
    var rowsInStep = 200
}
