// SPDX-License-Identifier: Apache-2.0
// W3C trace context, carried through HTTP and events.

/// A `traceparent` (www.w3.org/TR/trace-context).
package struct TraceContext: Hashable, Sendable {
    package let traceID: String
    package let spanID: String
    package let flags: String

    /// Nil for a value that breaks the format.
    package init?(traceparent: String?) { fatalError("stub") }
    /// A new trace.
    package static func random() -> TraceContext { fatalError("stub") }
    /// The same trace with a new span.
    package func child() -> TraceContext { fatalError("stub") }
    package var traceparent: String { fatalError("stub") }

    /// The trace of the request or event in hand.
    @TaskLocal package static var current: TraceContext?
}
