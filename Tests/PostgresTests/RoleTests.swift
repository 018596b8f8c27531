// SPDX-License-Identifier: Apache-2.0
// What the roles of the services may do in the database, and what the server writes into its log.

import Foundation
import Support
import Surface
import Testing

@testable import Postgres

@Suite struct RoleTests {
    private static let services = ServiceName.allCases.map(\.rawValue)

    private func inMadang<Value: Sendable>(_ body: @escaping @Sendable (Session) throws -> Value) async throws -> Value
    {
        try await Session.run(testConfiguration(try testServer(), "madang", "public"), body)
    }

    private func state(_ body: () throws -> Void) -> String? {
        do { try body() } catch { return (error as? PostgresError)?.sqlState ?? "\(error)" }
        return nil
    }

    /// S14: every role against every other's schema, with a table in it.
    @Test(arguments: services) func aRoleReachesItsOwnSchemaOnly(_ owner: String) async throws {
        let outcomes = try await inMadang { session in
            var outcomes: [String] = []
            try session.execute("BEGIN")
            try session.execute("SET LOCAL ROLE \(owner)")
            try session.execute("CREATE TABLE \(owner).probe (x bigint)")
            for service in RoleTests.services {
                for attempt in [
                    "SELECT x FROM \(owner).probe", "INSERT INTO \(owner).probe VALUES (1)",
                    "CREATE TABLE \(owner).other (x bigint)", "DROP TABLE \(owner).probe", "SET LOCAL ROLE \(owner)",
                    "CREATE TABLE public.other (x bigint)", "CREATE SCHEMA another",
                    "COPY (SELECT 1) TO PROGRAM 'true'", "SELECT pg_read_file('PG_VERSION')",
                    "SELECT rolpassword FROM pg_authid",
                ] {
                    try session.execute("SAVEPOINT attempt")
                    // The session's user is a superuser, who may become anybody: a role is what it is a member of.
                    try session.execute("SET LOCAL ROLE \(service)")
                    let isMember = attempt.hasPrefix("SET")
                    let state = state {
                        if isMember {
                            let rows = try session.rows("SELECT pg_has_role('\(service)', '\(owner)', 'MEMBER')::text")
                            if rows.first?.first == "false" {
                                throw PostgresError.server(
                                    sqlState: "42501",
                                    message: "",
                                    constraint: nil,
                                    statement: attempt
                                )
                            }
                        } else {
                            try session.execute(attempt)
                        }
                    }
                    let isOwn = service == owner && (isMember || attempt.contains("\(owner)."))
                    if isOwn ? state != nil : state != "42501" {
                        outcomes.append("\(service): \(attempt): \(state ?? "allowed")")
                    }
                    try session.execute("ROLLBACK TO SAVEPOINT attempt")
                }
            }
            try session.execute("ROLLBACK")
            return outcomes
        }
        #expect(outcomes == [])
    }

    @Test(arguments: services) func aRoleEntersNoOtherDatabase(_ service: String) async throws {
        let entered = try await inMadang { session in
            try session.rows(
                """
                SELECT datname FROM pg_database
                WHERE datname IN ('madang', 'postgres', 'template0', 'template1')
                    AND has_database_privilege($1, oid, 'CONNECT')
                """,
                [service]
            ).map { $0.first ?? nil }
        }
        // template0 accepts nobody's connections.
        #expect(Set(entered).subtracting(["template0"]) == ["madang"])
    }

    /// The server's settings are one file for both deployments.
    @Test func theServerKeepsWhatPeopleWroteOutOfItsLog() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../deploy/postgres/postgresql.conf"
        )
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        for line in [
            "log_parameter_max_length = 0", "log_parameter_max_length_on_error = 0", "log_error_verbosity = terse",
            "jit = off",
        ] { #expect(lines.contains { $0 == line }, "\(line)") }
    }
}
