// SPDX-License-Identifier: Apache-2.0
// Where stored files are.

import Domain
import Web

/// Files that never change, by the names that `StoredFileName` gives: a folder, or a bucket of S3.
protocol KeptFiles: Sendable {
    /// Nil when there is no such file.
    func open(_ name: String) async throws -> (any FileContent)?

    /// A link by which a client fetches the file without us; nil where there is none.
    ///
    /// - Parameter headers: what its answer shall say, of `Content-Type`, `Cache-Control` and `Content-Disposition`.
    func link(to name: String, headers: KeptFileHeaders, now: Timestamp) -> String?

    /// Moves a file of ours to where it is kept. By the time this returns, it survives a loss of power.
    func put(_ source: String, as name: String) async throws

    /// What cannot be removed now is found again by whoever looks for what is left over.
    func remove(_ names: [String]) async

    /// - Parameter prefix: the first two digits of their names.
    func names(beginning prefix: String) async throws -> [StoredEntry]
}

/// What an answer with a stored file says of it.
struct KeptFileHeaders: Sendable {
    let type: String
    let cacheControl: String
    let disposition: String?
}

/// A file or a folder that is there, and when it was last changed.
struct StoredEntry: Sendable {
    let name: String
    let changed: Timestamp
}
