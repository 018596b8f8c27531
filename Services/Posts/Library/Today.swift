// SPDX-License-Identifier: Apache-2.0
// Which day it is where somebody reads.

import Domain
import Postgres
import Web

/// The day of the request's moment in the time zone that it names as `time_zone`, by IANA's name.
enum Today {
    /// Nil where no zone is named. One that the database does not know is a 422.
    static func named(by parameters: Parameters, _ dependencies: Dependencies) async throws -> Day? {
        guard let zone = try parameters.string("time_zone"), !zone.isEmpty else { return nil }
        guard isName(zone) else { throw unknown }
        do {
            return try await ReadingStatisticsStore.day(of: dependencies.now(), in: zone, in: dependencies.database)
        } catch let error as PostgresError where error.sqlState == "22023" {
            throw unknown
        }
    }

    /// The same; the day in UTC where no zone is named.
    static func orUTC(_ parameters: Parameters, _ dependencies: Dependencies) async throws -> Day {
        try await named(by: parameters, dependencies) ?? Day(dependencies.now())
    }

    /// Whether it has the form of a name: PostgreSQL would take rules (`ABC+3`) and abbreviations too.
    static func isName(_ zone: String) -> Bool {
        guard zone.utf8.count <= 64 else { return false }
        if zone == "UTC" || zone == "GMT" { return true }
        if zone.hasPrefix("Etc/GMT") { return isOffset(zone.dropFirst(7)) }
        let parts = zone.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts.allSatisfy({ !$0.isEmpty }) else { return false }
        return parts.joined().allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
                UInt8(ascii: "-"):
                true
            default: false
            }
        }
    }

    /// What follows `Etc/GMT`: hours, behind Greenwich where they are counted up.
    private static func isOffset(_ text: Substring) -> Bool {
        guard let sign = text.first, text != "0" else { return true }
        guard let hours = Int(text.dropFirst()), String(hours) == text.dropFirst() else { return false }
        return sign == "+" ? (0...12).contains(hours) : sign == "-" && (0...14).contains(hours)
    }

    private static var unknown: Problem {
        var problem = Problem.invalid("time_zone", "inclusion")
        problem.detail = [
            .english: "The time zone is a name such as Asia/Seoul or Etc/UTC.",
            .korean: "시간대는 Asia/Seoul, Etc/UTC 같은 이름입니다.",
            .japanese: "タイムゾーンは Asia/Tokyo、Etc/UTC などの名前です。",
        ]
        return problem
    }
}
