// SPDX-License-Identifier: Apache-2.0
// Stored files in a folder.

import Domain
import Foundation
import Web

/// `<first two digits>/<name>`, below a folder that every process of media sees.
struct Folder: KeptFiles {
    let root: String

    private func path(_ name: String) -> String { "\(root)/\(name.prefix(2))/\(name)" }

    func open(_ name: String) async -> (any FileContent)? { await Disk.run { OpenFile(path: path(name)) } }

    func link(to name: String, headers: KeptFileHeaders, now: Timestamp) -> String? { nil }

    func put(_ source: String, as name: String) async throws {
        let target = path(name)
        try await Disk.tryRun {
            try Disk.sync(source)
            let folder = (target as NSString).deletingLastPathComponent
            if mkdir(folder, 0o700) == 0 {
                try Disk.sync(root)
            } else if errno != EEXIST {
                throw StorageFailure("mkdir", folder)
            }
            guard rename(source, target) == 0 else { throw StorageFailure("rename", target) }
            try Disk.sync(folder)
        }
    }

    func remove(_ names: [String]) async { await Disk.run { for name in names { unlink(path(name)) } } }

    func names(beginning prefix: String) async -> [StoredEntry] { await Disk.run { Disk.entries("\(root)/\(prefix)") } }
}
