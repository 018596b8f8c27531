// SPDX-License-Identifier: Apache-2.0
// Counters, gauges and histograms in Prometheus's text format.

import Synchronization

/// A number that only rises; keep it where it is counted often.
public final class Counter: Sendable {
    private let value = Atomic<Int>(0)

    fileprivate init() {}

    public func add(_ amount: Int = 1) { value.wrappingAdd(amount, ordering: .relaxed) }
    public var current: Int { value.load(ordering: .relaxed) }
}

/// Durations sorted into buckets; keep it where it is observed often.
public final class Histogram: Sendable {
    /// Upper bounds in microseconds, from one millisecond to ten seconds.
    static let bounds: [Int64] = [
        1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000,
        10_000_000,
    ]

    fileprivate struct State {
        var buckets = [UInt64](repeating: 0, count: Histogram.bounds.count + 1)
        var microseconds: Int64 = 0
    }

    private let state = Mutex(State())

    fileprivate init() {}

    public func observe(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        observe(microseconds: seconds &* 1_000_000 &+ attoseconds / 1_000_000_000_000)
    }

    public func observe(microseconds: Int64) {
        let bucket = Histogram.bounds.firstIndex { microseconds <= $0 } ?? Histogram.bounds.count
        state.withLock { state in
            state.buckets[bucket] += 1
            state.microseconds &+= max(0, microseconds)
        }
    }

    fileprivate var snapshot: State { state.withLock { $0 } }
}

/// The measurements of one process.
public final class Metrics: Sendable {
    private enum Series: Sendable {
        case counter(Counter)
        case gauge(@Sendable () -> Double)
        case total(@Sendable () -> Double)
        case histogram(Histogram)

        var type: String {
            switch self {
            case .counter, .total: "counter"
            case .gauge: "gauge"
            case .histogram: "histogram"
            }
        }
    }

    private struct Family: Sendable {
        let help: String
        var series: [String: Series] = [:]
    }

    private let families = Mutex<[String: Family]>([:])

    public init() {}

    /// A number that only rises.
    public func count(_ name: String, help: String, labels: [(String, String)] = [], by amount: Int = 1) {
        counter(name, help: help, labels: labels).add(amount)
    }

    /// The counter itself, for places where it is counted often.
    public func counter(_ name: String, help: String, labels: [(String, String)] = []) -> Counter {
        let series = series(name, help: help, labels: labels) { .counter(Counter()) }
        guard case .counter(let counter) = series else { return Counter() }
        return counter
    }

    /// A number asked for when the metrics are read; the last `read` given for a name and its labels counts.
    public func gauge(
        _ name: String,
        help: String,
        labels: [(String, String)] = [],
        read: @escaping @Sendable () -> Double
    ) {
        keep(.gauge(read), name, help: help, labels: labels)
    }

    /// A number that only rises and that somebody else keeps, asked for when the metrics are read.
    public func total(
        _ name: String,
        help: String,
        labels: [(String, String)] = [],
        read: @escaping @Sendable () -> Double
    ) {
        keep(.total(read), name, help: help, labels: labels)
    }

    /// A duration, in seconds, sorted into buckets.
    public func observe(_ name: String, help: String, labels: [(String, String)] = [], _ duration: Duration) {
        histogram(name, help: help, labels: labels).observe(duration)
    }

    /// The histogram itself, for places where it is observed often.
    public func histogram(_ name: String, help: String, labels: [(String, String)] = []) -> Histogram {
        let series = series(name, help: help, labels: labels) { .histogram(Histogram()) }
        guard case .histogram(let histogram) = series else { return Histogram() }
        return histogram
    }

    /// Text exposition format 0.0.4.
    public func exposition() -> String {
        let families = families.withLock { $0 }
        var text = ""
        for (name, family) in families.sorted(by: { $0.key < $1.key }) {
            guard let type = family.series.values.first?.type else { continue }
            text += "# HELP \(name) \(Metrics.escaped(family.help, quotes: false))\n# TYPE \(name) \(type)\n"
            for (labels, series) in family.series.sorted(by: { $0.key < $1.key }) {
                switch series {
                case .counter(let counter): text += "\(name)\(Metrics.braces(labels)) \(counter.current)\n"
                case .gauge(let read), .total(let read):
                    text += "\(name)\(Metrics.braces(labels)) \(Metrics.number(read()))\n"
                case .histogram(let histogram): text += Metrics.lines(of: histogram.snapshot, name, labels)
                }
            }
        }
        return text
    }

    private func keep(_ series: Series, _ name: String, help: String, labels: [(String, String)]) {
        let key = Metrics.text(of: labels)
        families.withLock { $0[name, default: Family(help: help)].series[key] = series }
    }

    private func series(
        _ name: String,
        help: String,
        labels: [(String, String)],
        make: () -> Series
    ) -> Series {
        let key = Metrics.text(of: labels)
        return families.withLock { families in
            if let series = families[name]?.series[key] { return series }
            let series = make()
            families[name, default: Family(help: help)].series[key] = series
            return series
        }
    }

    private static func lines(of histogram: Histogram.State, _ name: String, _ labels: String) -> String {
        var text = ""
        var total: UInt64 = 0
        let prefix = labels.isEmpty ? "" : labels + ","
        for (index, count) in histogram.buckets.enumerated() {
            total += count
            let bound = index < Histogram.bounds.count ? seconds(Histogram.bounds[index]) : "+Inf"
            text += "\(name)_bucket{\(prefix)le=\"\(bound)\"} \(total)\n"
        }
        text += "\(name)_sum\(braces(labels)) \(seconds(histogram.microseconds))\n"
        return text + "\(name)_count\(braces(labels)) \(total)\n"
    }

    private static func seconds(_ microseconds: Int64) -> String { number(Double(microseconds) / 1_000_000) }

    private static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        return Int64(exactly: value).map(String.init) ?? String(value)
    }

    private static func braces(_ labels: String) -> String { labels.isEmpty ? "" : "{\(labels)}" }

    private static func text(of labels: [(String, String)]) -> String {
        labels.map { "\($0.0)=\"\(escaped($0.1, quotes: true))\"" }.joined(separator: ",")
    }

    private static func escaped(_ value: String, quotes: Bool) -> String {
        guard value.utf8.contains(where: { $0 == 0x5C || $0 == 0x0A || $0 == 0x22 }) else { return value }
        var text = ""
        for character in value.unicodeScalars {
            switch character {
            case "\\": text += #"\\"#
            case "\n": text += #"\n"#
            case "\"" where quotes: text += #"\""#
            default: text.unicodeScalars.append(character)
            }
        }
        return text
    }
}
