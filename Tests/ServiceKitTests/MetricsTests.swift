// SPDX-License-Identifier: Apache-2.0
// Metrics, traces and log lines as others read them.

import Logging
import ServiceKit
import Synchronization
import Testing

@Suite struct MetricsTests {
    @Test func expositionIsPrometheusText() {
        let metrics = Metrics()
        metrics.count("b_total", help: "B.", labels: [("route", "/a\"b\\c\nd")], by: 2)
        metrics.count("b_total", help: "B.", labels: [("route", "/a\"b\\c\nd")])
        metrics.gauge("a_depth", help: "A.") { 1.5 }
        metrics.gauge("a_depth", help: "A.") { 3 }
        metrics.observe("c_seconds", help: "C.", .milliseconds(3))
        metrics.observe("c_seconds", help: "C.", .seconds(100))
        let lines = metrics.exposition().split(separator: "\n")
        #expect(lines.contains("a_depth 3"))
        #expect(lines.contains(#"b_total{route="/a\"b\\c\nd"} 3"#))
        #expect(lines.contains("# TYPE c_seconds histogram"))
        #expect(lines.contains(#"c_seconds_bucket{le="0.0025"} 0"#))
        #expect(lines.contains(#"c_seconds_bucket{le="0.005"} 1"#))
        #expect(lines.contains(#"c_seconds_bucket{le="10"} 1"#))
        #expect(lines.contains(#"c_seconds_bucket{le="+Inf"} 2"#))
        #expect(lines.contains("c_seconds_sum 100.003"))
        #expect(lines.contains("c_seconds_count 2"))
        #expect(lines.first == "# HELP a_depth A.")
    }

    @Test func countsFromManyTasksAddUp() async {
        let metrics = Metrics()
        let histogram = metrics.histogram("h", help: "H.")
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<1000 {
                        metrics.count("n_total", help: "N.", labels: [("a", "b")])
                        histogram.observe(.milliseconds(1))
                    }
                }
            }
        }
        #expect(metrics.exposition().contains("n_total{a=\"b\"} 8000"))
        #expect(metrics.exposition().contains("h_count 8000"))
    }

    @Test func traceContextsAreReadStrictly() throws {
        let text = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        let context = try #require(TraceContext(traceparent: text))
        #expect(context.traceparent == text)
        #expect(context.child().traceID == context.traceID && context.child().spanID != context.spanID)
        #expect(TraceContext(traceparent: TraceContext.random().traceparent) != nil)
        for bad in [
            nil, "", "00", text.uppercased(), "ff" + text.dropFirst(2), text + "-x", String(text.dropLast()),
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4bf92f3577b34da6a3ce929d0e0e473é-00f067aa0ba902b7-1",
        ] {
            #expect(TraceContext(traceparent: bad) == nil, "\(bad ?? "nil")")
        }
    }

    @Test func logLinesAreJSON() throws {
        let lines = Mutex<[String]>([])
        let written: @Sendable ([UInt8]) -> Void = { line in
            lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
        }
        var logger = Logger(label: "posts") { JSONLines(label: $0, write: written) }
        logger[metadataKey: "slot"] = "3"
        let trace = try #require(TraceContext(traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"))
        TraceContext.$current.withValue(trace) {
            LogContext.$requestID.withValue("r1") {
                logger.info("A \"b\"\n\u{1}", metadata: ["n": .stringConvertible(5), "list": ["x", ["k": "v"]]])
            }
        }
        logger.debug("not shown")
        let line = try #require(lines.withLock { $0.first })
        #expect(lines.withLock { $0.count } == 1)
        #expect(line.hasPrefix(#"{"time":"20"#) && line.hasSuffix("}\n"))
        #expect(
            line.contains(
                #""level":"info","message":"A \"b\"\n\u0001","list":["x",{"k":"v"}],"logger":"posts","n":5,"request_id":"r1","#
                    + #""slot":"3","trace_id":"4bf92f3577b34da6a3ce929d0e0e4736"}"#
            )
        )
    }
}
