// SPDX-License-Identifier: Apache-2.0
// Exchanges that were agreed on, kept as files.

import Foundation
import Testing

/// Compares with `Tests/Fixtures/http/<name>.txt`; a missing file is written, for somebody to read and commit.
package func expectGolden(_ name: String, _ text: String) throws {
    let file = repositoryRoot.appending(path: "Tests/Fixtures/http/\(name).txt")
    guard let golden = try? String(contentsOf: file, encoding: .utf8) else {
        let folder = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
        Issue.record("\(name).txt was missing and has been written: read it and commit it")
        return
    }
    #expect(text == golden)
}
