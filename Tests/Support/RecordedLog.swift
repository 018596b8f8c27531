// SPDX-License-Identifier: Apache-2.0
// What is logged, for tests that read it.

package import Logging
package import Synchronization

/// Keeps what is logged.
package final class RecordedLog: LogHandler, Sendable {
    package let lines = Mutex<[String]>([])

    package init() {}

    package func log(event: LogEvent) {
        lines.withLock { $0.append("\(event.message) \(event.metadata ?? [:])") }
    }

    package subscript(metadataKey _: String) -> Logger.Metadata.Value? {
        get { nil }
        set { _ = newValue }
    }
    package var metadata: Logger.Metadata {
        get { [:] }
        set { _ = newValue }
    }
    package var logLevel: Logger.Level {
        get { .trace }
        set { _ = newValue }
    }
}
