// SPDX-License-Identifier: Apache-2.0
// Counters, gauges and histograms in Prometheus's text format.

/// The measurements of one process.
package final class Metrics: Sendable {
    package init() {}

    /// A number that only rises.
    package func count(_ name: String, help: String, labels: [(String, String)] = [], by amount: Int = 1) { fatalError("stub") }
    /// A number asked for when the metrics are read.
    package func gauge(_ name: String, help: String, labels: [(String, String)] = [], read: @escaping @Sendable () -> Double) { fatalError("stub") }
    /// A duration, in seconds, sorted into buckets.
    package func observe(_ name: String, help: String, labels: [(String, String)] = [], _ duration: Duration) { fatalError("stub") }
    /// Text exposition format 0.0.4.
    package func exposition() -> String { fatalError("stub") }
}
