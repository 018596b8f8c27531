// SPDX-License-Identifier: Apache-2.0
// A document of somebody else that many need.

import Domain

/// Asked for once at a time, kept for as long as it says within bounds, and used beyond that where nobody answers.
actor KeptDocument<Value: Sendable> {
    struct Fetched: Sendable {
        let value: Value
        /// How long it is new, as its sender says.
        let lifetime: Duration
    }

    /// Nothing is new for shorter or longer, whatever a sender says.
    private static var lifetimes: ClosedRange<Duration> { .seconds(300) ... .seconds(24 * 3600) }
    /// How long after it was new it still serves while its sender does not answer.
    private static var spare: Duration { .seconds(24 * 3600) }
    /// How long nobody asks again for what was just told, and for what was not.
    private static var pauses: (told: Duration, silent: Duration) { (.seconds(60), .seconds(5)) }

    private var value: Value?
    private var freshUntil = Timestamp(milliseconds: 0)
    private var restUntil = Timestamp(milliseconds: 0)
    private var flight: Task<Fetched, any Error>?
    private let now: @Sendable () -> Timestamp
    private let fetch: @Sendable () async throws -> Fetched

    init(now: @escaping @Sendable () -> Timestamp, fetch: @escaping @Sendable () async throws -> Fetched) {
        self.now = now
        self.fetch = fetch
    }

    /// What was told last; throws `IssuerAway` where that is too old and nobody answers.
    func current() async throws -> Value {
        if let value, now() < freshUntil { return value }
        do {
            return try await renewed()
        } catch {
            if let value, now() < freshUntil + Self.spare { return value }
            throw error
        }
    }

    /// What is told now, or a minute ago: whoever sends unknown names of keys makes nobody ask more often.
    func renewed() async throws -> Value {
        if flight == nil, now() < restUntil {
            guard let value, now() < freshUntil else { throw IssuerAway(cause: "asked a moment ago") }
            return value
        }
        let flight = flight ?? Task { [fetch] in try await fetch() }
        self.flight = flight
        do {
            let fetched = try await flight.value
            // The first of those who waited keeps it.
            if self.flight == flight {
                self.flight = nil
                value = fetched.value
                let moment = now()
                freshUntil = moment + min(max(fetched.lifetime, Self.lifetimes.lowerBound), Self.lifetimes.upperBound)
                restUntil = moment + Self.pauses.told
            }
            return fetched.value
        } catch {
            if self.flight == flight {
                self.flight = nil
                restUntil = now() + Self.pauses.silent
            }
            throw error
        }
    }
}

/// `max-age` of a `Cache-Control` (RFC 9111); an hour where none is named, nothing where it may not be kept.
func lifetime(cacheControl text: String?) -> Duration {
    let parts = (text ?? "").lowercased().split(separator: ",").map { String($0).trimmed }
    if parts.contains("no-store") || parts.contains("no-cache") { return .zero }
    let age = parts.lazy.compactMap { $0.hasPrefix("max-age=") ? Int64($0.dropFirst(8)) : nil }.first
    return .seconds(min(max(age ?? 3600, 0), 365 * 86_400))
}
