// SPDX-License-Identifier: Apache-2.0
// Links to files, as the tests of services read them.

package import Domain

extension FileLinks {
    /// `/o/<name>` for everybody and `/x/<name>` for some days, after the origin of a site.
    package static func telling(_ origin: String) -> FileLinks {
        FileLinks(open: { "\(origin)/o/\($0)" }, closed: { "\(origin)/x/\($0)" })
    }
}
