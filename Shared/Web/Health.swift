// SPDX-License-Identifier: Apache-2.0
// What monitoring asks of every process.

import HTTPTypes
public import ServiceKit
import Views

/// The answers at `/health/live`, `/health/ready` and `/metrics`.
public enum Health {
    /// The process runs.
    public static var live: Answer { Answer.json { $0.member("status", "ok") } }

    /// 200 when every part works and the process is not about to stop, else 503 with what is amiss.
    public static func ready(_ parts: [String: Bool]) -> Answer {
        let isDraining = Drain.current?.isDraining == true
        let isReady = !isDraining && parts.values.allSatisfy { $0 }
        var answer = Answer.json(status: isReady ? .ok : .serviceUnavailable) { json in
            json.member("status", isDraining ? "stopping" : isReady ? "ok" : "failing")
            json.object("parts") { json in
                for (name, works) in parts.sorted(by: { $0.key < $1.key }) {
                    json.dynamicName(name)
                    json.bool(works)
                }
            }
        }
        answer.headers[.cacheControl] = "no-store"
        return answer
    }

    /// Prometheus's text format.
    public static func metrics(_ metrics: Metrics) -> Answer {
        Answer(
            headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: Array(metrics.exposition().utf8)
        )
    }
}
