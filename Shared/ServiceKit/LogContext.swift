// SPDX-License-Identifier: Apache-2.0
// What every line of the log names without being told.

/// The request in hand, so that whatever is logged meanwhile can be found by its id.
public enum LogContext {
    @TaskLocal public static var requestID: String?
}
