// SPDX-License-Identifier: Apache-2.0
// What says nothing of a file, only of where it is kept.

import Foundation
import Outbound

/// The disk refused: for the log.
struct StorageFailure: Error, CustomStringConvertible {
    let description: String

    init(_ call: String, _ path: String) { description = "\(call) \(path): \(String(cString: strerror(errno)))" }

    /// Whether an error is the disk's, or a bucket's.
    static func isOne(_ error: any Error) -> Bool {
        error is StorageFailure || error is S3Failure || error is OutboundFailure
    }
}
