// SPDX-License-Identifier: Apache-2.0
// How providers are asked, and what is common to their answers.

import Domain
import Foundation
import Outbound
import ServiceKit

/// Asks somebody outside; any status is an answer.
typealias Ask = @Sendable (OutboundRequest) async throws -> OutboundAnswer

enum Asking {
    /// In which one attempt ends, with tokens renewed and asked for again.
    static let patience = Duration.seconds(25)

    /// Of one request.
    static let limits = OutboundRequest.Limits(bytes: 1 << 16, time: .seconds(10), redirects: 0)

    /// The outcome of an attempt that has an end, whatever hangs.
    static func outcome(
        within patience: Duration,
        _ attempt: @escaping @Sendable () async throws -> PushOutcome
    ) async -> PushOutcome {
        do {
            return try await withDeadline(patience, attempt)
        } catch let failure as NotSent {
            return failure.outcome
        } catch let failure as OutboundFailure {
            return .later(reason: reason(failure), after: nil)
        } catch {
            // Somebody stops the process, or the time is over: nobody knows whether it arrived, and it is sent again by its name.
            return .later(reason: "NoAnswer", after: nil)
        }
    }

    /// What a log may say: never an address.
    private static func reason(_ failure: OutboundFailure) -> String {
        switch failure {
        case .badRequest: "BadRequest"
        case .refused: "AddressRefused"
        case .tooManyRedirects: "TooManyRedirects"
        case .late: "TimedOut"
        case .failed(let number): "ConnectionFailed(\(number))"
        }
    }
}

/// Why a message did not leave, where that is known before it is asked for.
struct NotSent: Error {
    let outcome: PushOutcome
}

extension OutboundAnswer {
    /// `Retry-After` (RFC 9110, section 10.2.3), of a day at most; nil for anything else.
    func retryAfter(now: Timestamp) -> Duration? {
        guard let text = header("retry-after") else { return nil }
        let seconds = Int64(text) ?? HTTPDate.seconds(text).map { max(0, $0 - now.seconds) }
        return seconds.flatMap { $0 >= 0 ? .seconds(min($0, 86_400)) : nil }
    }

    /// Its body as a value; nil where it is none.
    func json<Value: Decodable>(_ type: Value.Type) -> Value? {
        guard !isCut else { return nil }
        return try? JSONDecoder().decode(type, from: Data(body))
    }
}

/// The fixed form of dates in HTTP's fields, such as `Fri, 02 Jan 2026 03:04:05 GMT` (RFC 9110, section 5.6.7).
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Since 1970; nil for what is no such date.
    static func seconds(_ text: String) -> Int64? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", parts[1].count == 2, parts[3].count == 4,
            let month = months.firstIndex(where: { $0 == parts[2] })
        else { return nil }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return Timestamp(rfc3339: "\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")?.seconds
    }
}

extension Push {
    /// Whole seconds until nobody needs it any more.
    func secondsLeft(_ now: Timestamp) -> Int64 {
        // A date of a row, not of a client, but a row may hold any.
        let left = expiresAt.timeIntervalSince1970 - Double(now.milliseconds) / 1000
        return left.isFinite ? Int64(min(max(0, left), 2_419_200)) : 0
    }
}
