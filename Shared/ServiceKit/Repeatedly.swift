// SPDX-License-Identifier: Apache-2.0
// What is done in the background as long as a process runs.

package import Logging

/// Does something again and again until its task is cancelled. What it throws is logged as a warning and does not end it.
///
/// - Parameters:
///   - pause: before the next time.
///   - bell: ends the pause.
///   - complaint: what is logged of an error.
package func repeatedly(
    every pause: @autoclosure () -> Duration,
    wokenBy bell: Bell? = nil,
    orSaying complaint: Logger.Message,
    _ metadata: Logger.Metadata = [:],
    to logger: Logger,
    _ body: () async throws -> Void
) async {
    while !Task.isCancelled {
        let rings = bell?.rings
        do { try await body() } catch is CancellationError { return } catch {
            logger.warning(complaint, metadata: metadata.merging(["error": "\(error)"]) { $1 })
        }
        if let bell, let rings {
            await bell.wait(after: rings, atMost: pause())
        } else {
            try? await Task.sleep(for: pause())
        }
    }
}
