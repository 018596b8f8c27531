// SPDX-License-Identifier: Apache-2.0
// What the tests of this folder ask with.

import Support
import Testing

@testable import Outbound

/// What does not count time may take as long as a busy machine needs.
private let patient = OutboundRequest.Limits(time: .seconds(600))

/// Speaks with the listeners that a test names, and else with nobody that is not on the internet.
func ask(
    _ url: String,
    _ client: OutboundClient = OutboundClient(),
    allowing listeners: [WebListener] = [],
    ports: Set<Int> = [80, 443],
    limits: OutboundRequest.Limits? = nil
) async throws -> OutboundAnswer {
    let allowed = try listeners.map { Guard.Endpoint(try #require(NetworkAddress("127.0.0.1")), port: $0.port) }
    return try await client.send(
        OutboundRequest(.get, url, limits: limits ?? patient, guard: .anybody(ports: ports, allowing: Set(allowed)))
    )
}

func failure(_ body: () async throws -> OutboundAnswer) async -> OutboundFailure? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? OutboundFailure
    }
}

extension OutboundFailure {
    var isRefusal: Bool {
        if case .refused = self { true } else { false }
    }
}

extension OutboundAnswer {
    var text: String { String(decoding: body, as: UTF8.self) }
}
