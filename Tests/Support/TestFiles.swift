// SPDX-License-Identifier: Apache-2.0
// Links to files, as the tests of services read them.

package import Domain

extension FileLinks {
    /// `/o/<name>` for everybody, `/x/<name>` for some days and `/media/c/…` for covers, after the origin of a site.
    package static func telling(_ origin: String) -> FileLinks {
        FileLinks(
            open: { "\(origin)/o/\($0)" },
            closed: { "\(origin)/x/\($0)" },
            cover: { "\(origin)/media/c/\(String(repeating: "0", count: 32))/\(CoverLink.address(of: $0))" }
        )
    }
}
