// SPDX-License-Identifier: Apache-2.0
// Who is to blame for a failure.

import Testing

@testable import Postgres

@Suite struct PostgresErrorTests {
    private func kind(_ state: String) -> PostgresError.Kind {
        PostgresError.server(sqlState: state, message: "", constraint: nil, statement: "").kind
    }

    @Test func `away, slow, in the way and its own are told apart`() {
        for state in ["08006", "53300", "53100", "57P01", "57P02", "57P03", "25006"] { #expect(kind(state) == .away) }
        for state in ["57014", "55P03", "25P03", "25P04", "53200"] { #expect(kind(state) == .slow) }
        for state in ["40001", "40P01"] { #expect(kind(state) == .conflict) }
        for state in ["23505", "22003", "22P05", "42P01", "42501", "XX000"] { #expect(kind(state) == .own) }
        let message = "new multixact has more than one updating member: 0 2[18027 (nokeyupd), 18029 (nokeyupd)]"
        let updaters = PostgresError.server(sqlState: "XX000", message: message, constraint: nil, statement: "UPDATE t")
        #expect(updaters.kind == .conflict && updaters.isWorthRepeating)
        let away: [PostgresError] = [
            .connectionLost("gone", sent: true), .commitUnknown, .poolExhausted, .closed,
        ]
        #expect(away.allSatisfy { $0.kind == .away && $0.isUnavailable })
        let late = PostgresError.deadlineExceeded(statement: "SELECT 1")
        #expect(late.kind == .slow && late.isUnavailable)
        #expect(PostgresError.misuse("").kind == .own)
        #expect(PostgresError.decoding(statement: "", column: 1, "").kind == .own)
    }
}
