// SPDX-License-Identifier: Apache-2.0
// What a gateway logs, kept for a test.

import Logging
import ServiceKit
import Synchronization

final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    var logger: Logger {
        var logger = Logger(label: "gateway") { [self] label in
            JSONLines(label: label) { line in
                self.lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
            }
        }
        logger.logLevel = .info
        return logger
    }
}
