// SPDX-License-Identifier: Apache-2.0
// What every line of the log names without being told.

/// The request in hand, so that whatever is logged meanwhile can be found by its id.
package enum LogContext {
    @TaskLocal package static var requestID: String?
}
